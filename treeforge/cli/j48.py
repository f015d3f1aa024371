"""J48's options, typed by habit: what they are called here."""

from __future__ import annotations

import click

#: J48's option -> the same in our words
WORDS = {
    "-C": "--set pruner.confidence=0.25",
    "-M": "--min-branch 2",
    "-U": "--pruner none",
    "-O": "--set pruner.collapse=false",
    "-S": "--set pruner.subtree_raising=false",
    "-R": "--pruner reduced_error",
    "-N": "--pruner reduced_error --set pruner.folds=3",
    "-Q": "--seed 1",
    "-B": "--set splitter.binary=true",
    "-J": "--set splitter.mdl_correction=false",
    "-A": "--set laplace=true",
}


class KnowsJ48(click.Command):
    """A command that tells those who come from Weka what their option is called."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(context, args)
        except click.NoSuchOption as wrong:
            letter = wrong.option_name
            if letter not in WORDS:
                raise
            told = f"No such option '{letter}'. J48's {letter} is written like this: {WORDS[letter]}"
            raise click.NoSuchOption(letter, told, ctx=context) from None
