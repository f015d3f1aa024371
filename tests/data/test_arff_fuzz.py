"""Hostile files: the fast reader says what the slow one says, wherever blocks end."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from fuzz_arff import differ, mutated, seeds
from hypothesis import given, settings
from hypothesis import strategies as st

KEPT = sorted((Path(__file__).parent / "fuzzed").glob("*.arff"))

blanks = st.sampled_from([",", ", ", " ", "\t", ",,", " , "])
ends = st.sampled_from(["\n", "\r\n", "\r", " \n", ",\n", "% remark 'x\n", "\n\n", "\n%\r"])
raw = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\n"), max_size=6)
numbers = (
    st.floats().map(repr) | st.integers(-(10**20), 10**20).map(str) | st.decimals(allow_nan=False).map(str)
)
words = st.sampled_from(
    ["x", "y", "?", "'?'", "'a b'", '"x"', "'x\\'", "abcdefgh", "abcdefghi", "<null>", "%", "{5}"]
)
quoted = raw.map(lambda t: "'" + t.replace("\\", "\\\\").replace("'", "\\'") + "'")
values = numbers | words | quoted | raw
types = st.sampled_from(
    [
        "numeric",
        "REAL",
        "string",
        "{x,y}",
        "{ 'a b' , x\t,abcdefgh , abcdefghi}",
        "{}",
        "integer [0, 5]",
        "{x} {2}",
        "no",
    ]
)
rows = st.lists(values, max_size=6)
sparse = st.lists(st.tuples(st.integers(-1, 6), values), max_size=4)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A file that is nearly right."""
    parts = ["@relation", " ", draw(words | raw), draw(ends)]
    for i in range(draw(st.integers(0, 4))):
        parts += ["@attribute ", draw(st.just(f"a{i}") | quoted), " ", draw(types), draw(ends)]
    if draw(st.booleans()):
        parts += ["@inputs a0", draw(ends)]
    parts += ["@data", draw(ends)]
    for _ in range(draw(st.integers(0, 5))):
        if draw(st.integers(0, 3)) == 0:
            between = draw(blanks)
            parts.append("{" + between.join(f"{i} {value}" for i, value in draw(sparse)) + "}")
        else:
            for value in draw(rows):
                parts += [value, draw(blanks)]
        parts += [draw(st.sampled_from(["", "", "{2}", ",{0.5}"])), draw(ends)]
    return "".join(parts).encode()


@settings(max_examples=250, deadline=None)
@given(content=files(), seed=st.none() | st.integers(0, 9))
def test_files_that_are_nearly_right(content: bytes, seed: int | None) -> None:
    assert differ(content, None if seed is None else random.Random(seed)) is None


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_files_that_found_something_once(path: Path) -> None:
    content = path.read_bytes()
    assert differ(content) is None
    for seed in range(20):
        assert differ(content, random.Random(seed)) is None


def test_files_changed_at_random() -> None:
    source = random.Random(1)
    pool = list(seeds())
    for _ in range(1500):
        content = mutated(source.choice(pool), source, pool)
        if b"date" not in content.lower():
            assert differ(content, source if source.random() < 0.3 else None) is None, content
