"""What looks like a slip in a CSV column is said, and nothing that does not."""

from __future__ import annotations

import shlex
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeforge.data import Attribute, read_dataset
from treeforge.data.slips import GAPS, Slip, listening, slip
from treeforge.errors import DataWarning


def found(*values: str, decimal: str = ".") -> Slip | None:
    """The slip of a column of these values."""
    categories = tuple(dict.fromkeys(values))
    codes = np.array([categories.index(value) for value in values], dtype=np.int32)
    return slip(Attribute("x", "nominal", categories), codes, decimal)


def heard(tmp_path: Path, text: str, **options: object) -> list[str]:
    path = tmp_path / "t.csv"
    path.write_text(text)
    with listening() as said:
        read_dataset(path, **options)
    return [str(warning).replace(f"{tmp_path}/", "") for warning in said]


@pytest.mark.parametrize("word", sorted(GAPS))
def test_a_word_for_a_gap_among_numbers_is_found_in_any_letters(word: str) -> None:
    for spelling in {word, word.upper(), f" {word} "}:
        assert found("1", spelling, "2.5", spelling) == Slip("x", "numbers", ((spelling, 2),))


@pytest.mark.parametrize("word", ["N/A", "null", "-", ".", "", " ", "NaN", "#N/A"])
def test_a_word_for_a_gap_among_words_is_found(word: str) -> None:
    assert found("red", word, "blue") == Slip("x", "gap", ((word, 1),))


@pytest.mark.parametrize(
    "values",
    [
        ("red", "none", "blue"),  # ordinary categories
        ("yes", "no", "unknown"),
        ("+", "-"),  # a pair of signs
        ("brick", "NA", "wood"),  # in quotes, or it would not be here
        ("2", "3", "4", "5more"),  # an ordinary mixture
        ("A/5 21171", "113803", "PC 17599", "373450"),
        ("1.234.567", "12.03.2021"),
        (),
    ],
)
def test_ordinary_categories_are_no_slip(values: tuple[str, ...]) -> None:
    assert found(*values) is None


def test_a_slip_of_the_pen_among_many_numbers_is_found() -> None:
    numbers = [str(i) for i in range(40)]
    assert found(*numbers, "1o5", "l7") == Slip("x", "numbers", (("1o5", 1), ("l7", 1)))
    assert found(*numbers, "a", "b", "c", "d", "e") is None  # too many to be slips


def test_decimal_commas_are_found_unless_they_are_declared() -> None:
    assert found("1,5", "2", "2,25", "n/a") == Slip("x", "commas", (("1,5", 1), ("n/a", 1)))
    assert found("1,5", "2", "2,25", "n/a", decimal=",") == Slip("x", "numbers", (("n/a", 1),))


@given(st.lists(st.text("0123456789.,-+eEx n/aN", max_size=6), max_size=30))
def test_whatever_is_found_stands_in_the_column_that_often(values: list[str]) -> None:
    slipped = found(*values)
    for word, n in slipped.counts if slipped else ():
        assert values.count(word) == n > 0


def test_a_comma_among_points_parts_no_decimals() -> None:
    points = [f"{i}.5" for i in range(20)]
    assert found(*points, "2,5") == Slip("x", "numbers", (("2,5", 1),))
    assert found("1.5", "2,5", "3.5") is None  # half and half: a word of ours would be a guess
    assert found("1", "2", "2,5") == Slip("x", "commas", (("2,5", 1),))


def test_points_where_a_comma_was_declared_are_found() -> None:
    assert found("1.5", "2", "2.25", "n/a", decimal=",") == Slip("x", "points", (("1.5", 1), ("n/a", 1)))
    commas = [f"{i},5" for i in range(20)]
    assert found(*commas, "2.5", decimal=",") == Slip("x", "points", (("2.5", 1),))
    assert found("1.5", "2,5", "3.5", decimal=",") == Slip("x", "points", (("1.5", 1),))


def test_points_where_a_comma_was_declared_are_told(tmp_path: Path) -> None:
    (said,) = heard(tmp_path, "a;b;c;y\n1.5;2,5;2.5;x\n2.5;3,5;3.25;z\n", decimal=",")
    assert said == (
        "t.csv: columns 'a', 'c' are nominal, but the values are numbers, some with a point, such as '1.5', where "
        "decimals are declared to have a comma. If the point parts decimals, write them in one way; where no column "
        'has a comma, leave out --decimal=, (decimal: "," or decimal=",")'
    )


def test_thousands_may_be_meant_by_a_comma(tmp_path: Path) -> None:
    (said,) = heard(tmp_path, "a\ty\n1,234\tx\n2,500\tz\n")
    assert (
        "the values are numbers with a comma, such as '1,234'. If the comma parts decimals: --decimal=,"
        in said
    )


def test_a_decimal_comma_and_gaps_are_told_in_one_go(tmp_path: Path) -> None:
    text = "a;b;y\n1,5;2,5;x\nn/a;n/a;y\n3,5;4,5;x\n"
    (said,) = heard(tmp_path, text)
    assert said == (
        "t.csv: columns 'a', 'b' are nominal, but the values are numbers with a comma, such as '1,5'. "
        "If the comma parts decimals: --decimal=, --unknown=n/a "
        '(in a pipeline file decimal: ",", unknown: ["n/a"], in Python decimal=",", unknown=["n/a"])'
    )
    assert heard(tmp_path, text, decimal=",", unknown=["n/a"]) == []


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
@pytest.mark.parametrize("values", [("1", "2", "3"), ("Mazda RX4", "Datsun 710", "Valiant")])
def test_names_of_rows_are_found_where_the_column_has_no_name(
    tmp_path: Path, name: str, values: tuple[str, ...]
) -> None:
    text = f"{name},x,y\n" + "".join(f'"{value}",{i},a\n' for i, value in enumerate(values))
    (said,) = heard(tmp_path, text)
    assert said.startswith(f"t.csv: column '{name}' has no name of its own, and each value in it occurs once")
    assert f'--drop={shlex.quote(name)} (in a pipeline file drop: "{name}"' in said
    assert heard(tmp_path, text.replace(name, "id", 1)) == []
    assert heard(tmp_path, text.replace(values[1], values[0])) == []


def test_columns_alike_are_told_together_with_what_to_write(tmp_path: Path) -> None:
    said = heard(tmp_path, "a,b,c,y\n1,-,red,x\n-,2,n/a,y\n3,3,red,x\n")
    assert said == [
        "t.csv: columns 'a', 'b' are nominal only because of '-' (2 values); the other values are numbers. "
        'If that means unknown: --unknown=- (in a pipeline file unknown: ["-"], in Python unknown=["-"])',
        "t.csv: column 'c' has the category 'n/a' (1 of 3 values). "
        'If that means unknown: --unknown=n/a (in a pipeline file unknown: ["n/a"], in Python unknown=["n/a"])',
    ]
    assert heard(tmp_path, "a,y\n1,x\n-,y\n", unknown=["-"]) == []


def test_long_lists_are_cut(tmp_path: Path) -> None:
    names = [f"c{i}" for i in range(6)]
    row = ",".join("." for _ in names)
    numbers = ",".join("1" for _ in names)
    (said,) = heard(tmp_path, f"{','.join(names)},y\n{row},x\n{numbers},y\n")
    assert "columns 'c0', 'c1', 'c2', 'c3' and 2 more are nominal only because of '.' (6 values)" in said
    words = ["-", ".", "n/a", "null", "nan", "--"]
    (said,) = heard(tmp_path, "a,y\n1,x\n" + "".join(f"{word},y\n" for word in words))
    assert "'null' (1 of 7 values) and 2 more words; the other values" in said


@pytest.mark.parametrize("word", ["n/a", "<NA>", "it's", "--", "#N/A", '"', "$x"])
def test_what_is_to_be_written_can_be_pasted(tmp_path: Path, word: str) -> None:
    quoted = '"' + word.replace('"', '""') + '"'
    numbers = "".join(f"{i},x\n" for i in range(20))
    (said,) = heard(tmp_path, f"a,y\n{numbers}{quoted},x\n")
    (option,) = shlex.split(said.partition("means unknown: ")[2].partition(" (in a pipeline")[0])
    assert option == f"--unknown={word}"
    assert heard(tmp_path, f"a,y\n{numbers}{quoted},x\n", unknown=[word]) == []


def test_other_warnings_pass_through() -> None:
    with warnings.catch_warnings(record=True) as shown, listening() as said:
        warnings.simplefilter("always")
        warnings.warn("of somebody else", stacklevel=1)
        warnings.warn(DataWarning("ours", ["a"]), stacklevel=1)
    assert [str(warning.message) for warning in shown] == ["of somebody else"]
    assert [str(warning) for warning in said] == ["ours"]
