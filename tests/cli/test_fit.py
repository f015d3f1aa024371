"""``treeforge fit`` and ``evaluate`` as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treeforge.cli import main
from treeforge.cli.fit import fit
from treeforge.cli.j48 import WORDS

WEATHER = Path(__file__).parents[2] / "arff_data" / "weather.arff"
IRIS = WEATHER.with_name("iris.arff")


def lines(capsys) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_fit_prints_the_tree_as_j48_does(capsys) -> None:
    assert main(["fit", str(WEATHER)]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == [
        "outlook = sunny",
        "|   humidity <= 75: yes (2.0)",
        "|   humidity > 75: no (3.0)",
    ]


def test_fit_of_several_files_names_each(capsys) -> None:
    assert main(["fit", str(WEATHER), str(IRIS)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("weather\n\n")
    assert "\niris\n\n" in out


def test_json_has_everything_of_the_contract(capsys) -> None:
    assert main(["fit", str(WEATHER), "--json"]) == 0
    (answer,) = lines(capsys)
    assert answer.pop("fit_seconds") >= 0
    assert answer.pop("text").startswith("outlook = sunny\n|   humidity <= 75: yes (2.0)\n")
    assert answer == {
        "data": "weather",
        "path": str(WEATHER),
        "rows": 14,
        "leaves": 5,
        "size": 8,
        "depth": 2,
        "classes": ["yes", "no"],
        "confusion": [[9, 0], [0, 5]],
    }


@pytest.mark.parametrize(
    ("options", "leaves"),
    [
        (["--pruner", "none"], 5),
        (["--set", "pruner.confidence=0.01"], 1),
        (["--min-branch", "8"], 1),
        (["--set", "max_depth=1", "--pruner", "none"], 3),
        (["--class", "outlook"], 5),
        (["--set", "splitter.binary=true"], 4),
        (["--pruner", "reduced_error", "--set", "pruner.folds=3", "--seed", "1"], 1),
    ],
)
def test_options_are_the_words_of_the_pipeline_file(capsys, options: list[str], leaves: int) -> None:
    assert main(["fit", str(WEATHER), "--json", *options]) == 0
    assert lines(capsys)[0]["leaves"] == leaves


def test_error_is_one_line_and_the_next_file_has_its_turn(capsys, tmp_path: Path) -> None:
    bad = tmp_path / "bad.arff"
    bad.write_text("@relation x\n@attribute a numeric\n@attribute c {p, q}\n@data\n1,p\n2,r\n")
    missing = tmp_path / "missing.arff"
    assert main(["fit", "--json", str(bad), str(missing), str(WEATHER)]) == 1
    said = capsys.readouterr()
    assert [json.loads(line)["data"] for line in said.out.splitlines()] == ["weather"]
    first, second = said.err.splitlines()
    assert first.startswith(f"{bad}:6:")
    assert second.startswith(f"{missing}: ")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["fit"], 2, "Missing argument 'DATA...'"),
        (["fit", str(WEATHER), str(IRIS), "-o", "m.json"], 2, "-o takes the model of one file"),
        (["fit", str(WEATHER), "--splitter", "c54"], 1, "no splitter is called 'c54'; did you mean 'c45'?"),
        (
            ["fit", str(WEATHER), "--set", "pruner.confidnce=1"],
            1,
            "has no parameter 'confidnce'; did you mean",
        ),
        (["fit", str(WEATHER), "--set", "nonsense"], 1, "--set nonsense: KEY=VALUE is expected"),
        (["fit", str(WEATHER), "--class", "pley"], 1, "no attribute is called 'pley'; did you mean 'play'?"),
        (
            ["fit", str(WEATHER), "--drop", "windi"],
            1,
            "'windi', so it cannot be dropped; did you mean 'windy'?",
        ),
        (
            ["fit", str(WEATHER.with_name("wether.arff"))],
            1,
            "such file or directory; did you mean 'weather.arff'?",
        ),
        (["fit", "no/such/folder.arff"], 1, "folder.arff: No such file or directory\n"),
        (["fitt", "x"], 2, "No such command 'fitt'; did you mean 'fit'?"),
        (["nothing_like_it"], 2, "No such command 'nothing_like_it'.\n"),
        (["show", "m.json", "--as", "rule"], 2, "; did you mean 'rules'?"),
        (["evaluate", str(WEATHER), "--folds", "20"], 1, "weather"),
        (["evaluate", str(WEATHER), "--folds", "1"], 2, "1 is not in the range x>=2"),
    ],
)
def test_wrong_usage(capsys, arguments: list[str], status: int, message: str) -> None:
    assert main(arguments) == status
    assert message in capsys.readouterr().err


def test_model_is_saved(tmp_path: Path, capsys) -> None:
    from treeforge.export import json as models

    model = tmp_path / "m.tree.json"
    assert main(["fit", str(WEATHER), "-o", str(model)]) == 0
    assert models.read(model).fitted.measures()["leaves"] == 5


def test_evaluate_gives_wekas_confusion_with_wekas_folds(capsys) -> None:
    assert main(["evaluate", str(IRIS), "--folds-like", "weka", "--json"]) == 0
    (answer,) = lines(capsys)
    assert answer["confusion"] == [[49, 1, 0], [0, 47, 3], [0, 2, 48]]
    assert answer["accuracy"] == pytest.approx(0.96)
    assert len(answer["leaves"]) == len(answer["fit_seconds"]) == answer["folds"] == 10


def test_evaluate_in_words_and_with_a_warning(capsys) -> None:
    assert main(["evaluate", str(WEATHER), "--repeats", "2"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("weather: accuracy 0.")
    assert "(10 folds, 2 repeats, seed 1)" in said.out
    assert said.err.startswith("warning: 'weather': the classes")


ALGORITHMS = [
    (
        ["--ensemble", "random_forest", "--set", "ensemble.trees=3"],
        {"ensemble": {"random_forest": {"trees": 3}}},
    ),
    (
        ["--ensemble", "random_forest", "--splitter", "amsd", "--set", "ensemble.trees=3"],
        {"ensemble": {"random_forest": {"trees": 3}}, "splitter": "amsd"},
    ),
    (
        ["--splitter", "cart", "--set", "pruner.folds=5"],
        {"splitter": "cart", "pruner": {"cost_complexity": {"folds": 5}}},
    ),
    (["--set", "splitter.binary=true"], {"splitter": {"c45": {"binary": True}}}),
    (["--set", "discretizer=mdlp", "--splitter", "id3"], {"discretizer": "mdlp", "splitter": "id3"}),
]


@pytest.mark.parametrize(("options", "entry"), ALGORITHMS, ids=lambda given: " ".join(given))
def test_options_mean_what_the_same_words_mean_in_a_pipeline(options, entry) -> None:
    from treeforge.cli.fit import _learner
    from treeforge.learn.build import learner

    context = fit.make_context("fit", [str(IRIS), *options])
    assert _learner(context.params) == learner(entry)


def test_a_forest_s_own_splitter_and_criterion_stay_when_a_parameter_is_set() -> None:
    from treeforge.pipeline.words import words

    assert words(ensemble="random_forest", settings=["splitter.binary=true"]) == {
        "ensemble": "random_forest",
        "criterion": "information_gain",
        "splitter": {
            "c45": {"mdl_correction": False, "actual_value": False, "smallest_side": False, "binary": True}
        },
    }


@pytest.mark.parametrize("letter", sorted(WORDS))
def test_an_option_of_j48_is_answered_with_our_words_for_it(letter: str, capsys) -> None:
    assert main(["fit", str(IRIS), letter]) == 2
    assert f"No such option '{letter}'. J48's {letter} is written like this: --" in capsys.readouterr().err
    assert main(["fit", str(IRIS), *WORDS[letter].split()]) == 0


def test_a_parameter_beside_its_plugin_is_told_where_it_belongs(capsys) -> None:
    assert main(["fit", str(IRIS), "--set", "confidence=0.1"]) == 1
    assert (
        "'error_based' has it: pruner: {error_based: {confidence: ...}}, or --set pruner.confidence=..."
        in (capsys.readouterr().err)
    )


@pytest.mark.parametrize(
    ("option", "name", "hint"),
    [
        ("--splitter", "J48", "did you mean 'c45'?"),
        ("--criterion", "entropy", "did you mean 'information_gain'?"),
        ("--splitter", "random_forest", "'random_forest' is of kind ensemble"),
        ("--pruner", "gini", "'gini' is of kind criterion"),
    ],
)
def test_a_name_from_elsewhere_is_understood(option: str, name: str, hint: str, capsys) -> None:
    assert main(["fit", str(IRIS), option, name]) == 1
    assert hint in capsys.readouterr().err


def test_a_folder_in_the_place_of_a_file_is_one_line(capsys) -> None:
    assert main(["fit", str(IRIS.parent)]) == 1
    assert (
        capsys.readouterr().err
        == f"{IRIS.parent}: this is a folder; files are wanted, as *.arff names them\n"
    )


def test_a_stream_s_tree_that_cannot_be_printed_says_so(capsys) -> None:
    assert main(["fit", str(IRIS), "--ensemble", "vfdt"]) == 1
    assert "predicts, and can be evaluated, but cannot be shown or saved as a tree" in capsys.readouterr().err
