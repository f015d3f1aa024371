"""Other forms of data: CSV, Parquet, C4.5's files, scikit-learn's bunches."""

from __future__ import annotations

import resource
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import assert_same, assert_same_columns, datasets

from treeforge.data import Attribute, Dataset, Schema, read_arff, read_dataset, write_dataset
from treeforge.data.bunches import from_bunch
from treeforge.data.csv_files import read_csv
from treeforge.data.files import class_last
from treeforge.data.matching import match
from treeforge.data.slips import listening
from treeforge.errors import DataError, DataWarning
from treeforge.learn.build import learner

pytestmark = pytest.mark.filterwarnings("error")

LABOR = Path(__file__).resolve().parents[2] / "arff_data" / "labor.arff"
anything = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
plain_words = st.text("abcXYZ019 ,:|?.\\'\"%é東", min_size=1, max_size=8).filter(
    lambda t: t == " ".join(t.split())
)


def read_text(tmp_path: Path, text: str | bytes, ending: str = ".csv", **options: Any) -> Dataset:
    path = tmp_path / ("table" + ending)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_dataset(path, **options)


def rows(dataset: Dataset) -> list[list[object]]:
    columns = [
        [None if c < 0 else a.categories[c] for c in column.tolist()]
        if a.is_nominal
        else [None if v != v else v for v in column.tolist()]
        for a, column in zip(dataset.schema.attributes, dataset.columns, strict=True)
    ]
    return [list(row) for row in zip(*columns, strict=True)]


@pytest.mark.parametrize(
    "ending", [".arff", ".arff.gz", ".csv", ".csv.gz", ".tsv", ".parquet", ".names", ".data"]
)
def test_labor_keeps_its_values_in_every_form(tmp_path: Path, ending: str) -> None:
    labor = read_arff(LABOR)
    write_dataset(labor, tmp_path / f"labor{ending}")
    again = read_dataset(tmp_path / f"labor{ending}")
    assert_same_columns(labor, match(again, labor.schema))
    assert again.name == "labor"


# ------------------------------------------------------------------------------------------------ Parquet


@anything
@given(dataset=datasets(dates=st.integers(-62135596800000, 253402300799999)))
def test_parquet_keeps_everything(tmp_path: Path, dataset: Dataset) -> None:
    write_dataset(dataset, tmp_path / "any.parquet")
    assert_same(dataset, read_dataset(tmp_path / "any.parquet"))


def test_foreign_parquet_has_texts_categories_truth_and_dates(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {
            "text": ["b", None, "a"],
            "category": pd.Categorical(["y", "x", None], categories=["z", "y", "x"]),
            "truth": [True, False, True],
            "whole": [1, 2, 3],
            "real": [1.5, np.nan, 3.0],
            "day": pd.to_datetime(["2021-02-28", None, "1969-12-31 23:59:59.999"], format="ISO8601"),
            "class": ["no", "yes", "no"],
        }
    )
    frame.to_parquet(tmp_path / "foreign.parquet", index=False)
    found = read_dataset(tmp_path / "foreign.parquet")
    assert [a.kind for a in found.schema.attributes] == ["nominal"] * 3 + ["numeric"] * 2 + [
        "date",
        "nominal",
    ]
    assert [a.categories for a in found.schema.attributes[:3]] == [
        ("b", "a"),
        ("z", "y", "x"),
        ("False", "True"),
    ]
    assert found.columns[1].tolist() == [1, 2, -1]
    assert found.columns[5].tolist()[::2] == [1614470400000.0, -1.0]
    assert found.schema.classes == ("no", "yes")


def test_whole_numbers_that_no_double_holds_are_refused(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    pd.DataFrame({"id": [2**53 + 1]}).to_parquet(tmp_path / "big.parquet")
    with pytest.raises(DataError, match="'id' has whole numbers that a double cannot hold"):
        read_dataset(tmp_path / "big.parquet")


def test_a_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        read_text(tmp_path, "no parquet", ".parquet")


# ---------------------------------------------------------------------------------------------------- CSV


@anything
@given(dataset=datasets(("numeric", "nominal"), weighted=False))
def test_csv_keeps_the_values(tmp_path: Path, dataset: Dataset) -> None:
    write_dataset(dataset, tmp_path / "any.csv")
    with listening():  # any word may be a category
        again = read_dataset(tmp_path / "any.csv")
    assert list(again.schema.names) == list(dataset.schema.names)
    for attribute, before, now, after in zip(
        dataset.schema.attributes, dataset.columns, again.schema.attributes, again.columns, strict=True
    ):
        if attribute.is_nominal and now.is_nominal:
            words = [None if c < 0 else attribute.categories[c] for c in before]
            found = [None if c < 0 else now.categories[c] for c in after]
            if now is not again.schema.class_attribute or attribute.categories == now.categories:
                assert _without_common_blank(words) == _without_common_blank(found)
        elif attribute.kind == now.kind:
            np.testing.assert_array_equal(before, after)


def _without_common_blank(words: list[str | None]) -> list[str | None]:
    """A blank before every value of a column counts as part of the delimiter."""
    if words and all(word is None or word.startswith(" ") for word in words):
        return [word and word.lstrip() for word in words]
    return words


def test_csv_kinds_and_unknowns(tmp_path: Path) -> None:
    with pytest.warns(DataWarning, match="column 'q' has the category '' "):
        found = read_text(tmp_path, 'n,w,q,c\n1,b,"?",1\n?,a,"",0\n1e-3,,x,1\n')
    assert [a.kind for a in found.schema.attributes] == ["numeric", "nominal", "nominal", "nominal"]
    assert found.schema.attributes[1].categories == ("b", "a")  # as they appear
    assert rows(found) == [[1.0, "b", "?", "1"], [None, "a", "", "0"], [0.001, None, "x", "1"]]
    assert found.schema.classes == ("0", "1")  # whole numbers ascend


def test_csv_na_of_r_is_unknown_and_in_quotes_a_category(tmp_path: Path) -> None:
    data = read_text(tmp_path, 'age,garage,y\nNA,"NA",a\n31,NA,b\n40,brick,a\n')
    assert np.isnan(data.columns[0]).tolist() == [True, False, False]
    assert data.schema.attributes[1].categories == ("NA", "brick")
    assert data.columns[1].tolist() == [0, -1, 1]
    write_dataset(data, tmp_path / "again.csv")
    assert read_dataset(tmp_path / "again.csv").columns[1].tolist() == [0, -1, 1]


def test_csv_class_by_name_and_other_delimiters(tmp_path: Path) -> None:
    assert read_text(tmp_path, "c;x\n1;2.5\n", class_attribute="c").schema.classes == ("1",)
    assert read_text(tmp_path, "c\tx\n1\t2\n", ".tsv").schema.attributes[0].kind == "numeric"
    with pytest.raises(DataError, match=r"no column is called 'z' \(there are: c, x\)"):
        read_text(tmp_path, "c,x\n1,2\n", class_attribute="z")


def test_csv_blank_behind_every_comma_is_part_of_the_delimiter(tmp_path: Path) -> None:
    assert rows(read_text(tmp_path, "a, b\n1, x\n2, ?\n3, y\n"))[1] == [2.0, None]


def test_csv_numbers_are_exact(tmp_path: Path) -> None:
    numbers = ["0.1", "5e-324", "1.7976931348623157e308", "9007199254740993", "0.30000000000000004"]
    found = read_text(tmp_path, "x,c\n" + "".join(f"{n},a\n" for n in numbers))
    assert found.columns[0].tolist() == list(map(float, numbers))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n3\n", "table.csv:3: 1 fields were found, 2 expected: 3"),
        ("a,b\n1,2,3\n", "table.csv:2: 3 fields were found, 2 expected"),
        ("a,a\n1,2\n", "table.csv:1: two columns are called 'a'"),
        ("", "table.csv:1: a line with the names of the columns was expected"),
        ('a,b\n1,"2\n', "a quote is never closed"),
        (b"a,b\n1,\xff\n", "table.csv:2: this is not UTF-8"),
    ],
)
def test_csv_that_would_lose_something_is_refused(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read_text(tmp_path, text)
    assert message in str(caught.value)


@pytest.mark.parametrize("ending", [".csv", ".arff", ".names"])
def test_what_a_file_of_another_encoding_is_told_to_do_works(tmp_path: Path, ending: str) -> None:
    attribute = Attribute("größe", "nominal", ("klein", "groß"))
    data = Dataset(Schema((attribute, Attribute("klasse", "nominal", ("ja", "nein"))), 1), ([0, 1], [1, 0]))
    write_dataset(data, tmp_path / f"latin{ending}")
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_text().encode("latin-1"))
    path = tmp_path / f"latin{ending}"
    with pytest.raises(DataError, match=r"latin\.\w+:[1-3].*: .*If it is Latin-1.*: --encoding=latin-1 "):
        read_dataset(path)
    assert read_dataset(path, encoding="latin-1").schema.attributes[0] == attribute
    with pytest.raises(DataError, match="no encoding has this name: unknown encoding: latin-0"):
        read_dataset(path, encoding="latin-0")


@pytest.mark.parametrize("ending", [".arff", ".csv"])
@pytest.mark.parametrize("asked", ["ascii", "utf-8"])
def test_what_was_asked_is_named_where_the_file_is_written_in_another_way(
    tmp_path: Path, ending: str, asked: str
) -> None:
    path = tmp_path / f"table{ending}"
    head = "@relation r\n@attribute a {gro\xdf}\n@data\n" if ending == ".arff" else "a,b\ngro\xdf,c\n"
    path.write_text(head, encoding="latin-1")
    with pytest.raises(DataError, match=f"not in the encoding that was declared: '{asked}' codec") as caught:
        read_dataset(path, encoding=asked)
    assert "--encoding" not in str(caught.value)
    path.write_text(head, encoding="utf-8-sig")
    assert read_dataset(path, encoding=asked).schema.attributes[0].categories == (
        "gro\xdf",
    )  # its mark says it


@pytest.mark.parametrize("asked", ["hex", "base64", "rot13", "zlib"])
def test_what_encodes_no_text_is_refused(tmp_path: Path, asked: str) -> None:
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match=f"table.csv: '{asked}' is no encoding of text"):
        read_dataset(tmp_path / "table.csv", encoding=asked)


def test_what_a_form_of_data_knows_itself_cannot_be_said_of_it(tmp_path: Path) -> None:
    write_dataset(read_arff(LABOR), tmp_path / "labor.parquet")
    with pytest.raises(DataError, match=r"labor\.parquet: 'encoding' cannot be said of this form of data"):
        read_dataset(tmp_path / "labor.parquet", encoding="latin-1")
    with pytest.raises(DataError, match=r"labor\.arff: 'unknown' cannot be said .*: only CSV leaves open"):
        read_dataset(LABOR, unknown=["none"])
    with pytest.raises(DataError, match="sklearn:iris: 'decimal' cannot be said"):
        read_dataset("sklearn:iris", decimal=",")


@contextmanager
def small_disk() -> Iterator[None]:
    """No file may be larger than 4 KiB: within the test alone, or pytest cannot write that it passed."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("n_rows", [700, 60_000])  # what a buffer holds is written when the file is closed
@pytest.mark.parametrize("ending", [".arff", ".arff.gz", ".csv", ".tsv.gz", ".data", ".parquet"])
def test_a_file_that_finds_no_room_is_named_and_leaves_nothing(
    tmp_path: Path, ending: str, n_rows: int
) -> None:
    numbers = np.random.default_rng(1).normal(size=n_rows)
    schema = Schema((Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    data = Dataset(schema, (numbers, np.arange(n_rows) % 2))
    with pytest.raises(DataError, match=r"File too large") as caught, small_disk():
        write_dataset(data, tmp_path / f"big{ending}")
    assert caught.value.file == str(tmp_path / f"big{ending}")
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".names"] == []


def test_csv_whose_class_is_never_known_has_no_class_to_learn(tmp_path: Path) -> None:
    for text in ("a,b\n", "a,b\n1,\n2,?\n"):
        assert read_text(tmp_path, text).schema.class_attribute == Attribute("b", "nominal")
        with pytest.raises(DataError, match="nothing to learn: the class attribute has no category"):
            learner({}).fit(read_text(tmp_path, text))


def test_a_plain_install_reads_csv() -> None:
    project = tomllib.loads((LABOR.parents[1] / "pyproject.toml").read_text())["project"]
    assert [need for need in project["dependencies"] if need.startswith("pyarrow")]


def test_csv_words_that_are_declared_are_unknown_in_quotes_or_not(tmp_path: Path) -> None:
    data = read_text(tmp_path, 'n,w,c\n-,"k. A.",a\n1,b,k. A.\n"-",,b\n2,NA,b\n', unknown=["-", "k. A."])
    assert rows(data) == [[None, None, "a"], [1.0, "b", None], [None, None, "b"], [2.0, None, "b"]]
    one_word = read_text(tmp_path, "n,c\n.,a\n1,b\n", unknown=".")
    assert rows(one_word) == [[None, "a"], [1.0, "b"]]


def test_csv_decimal_comma_is_read_where_it_is_declared(tmp_path: Path) -> None:
    text = "x;y;c\n1,5;1.234,5;a\n-,25;2;b\n3;?;b\n"
    data = read_text(tmp_path, text, decimal=",")
    assert data.columns[0].tolist() == [1.5, -0.25, 3.0]
    assert data.schema.attributes[1].categories == ("1.234,5", "2")  # thousand, or one and a bit: not guessed
    with pytest.raises(DataError, match=r"decimal is '\.' or ',', not ';'"):
        read_text(tmp_path, text, decimal=";")


def test_csv_blanks_around_numbers_are_no_part_of_them(tmp_path: Path) -> None:
    assert read_text(tmp_path, "x,c\n1 ,a\n 2,b\n").columns[0].tolist() == [1.0, 2.0]


def test_bytes_that_are_not_utf8_are_found_far_into_a_csv(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_bytes(b"a,b\n" + b"1,yes\n" * 200_000 + b"1,\xff\n")
    with pytest.raises(DataError, match=r"long\.csv:200002: this is not UTF-8"):
        read_csv(path)


def test_weights_are_refused_where_they_would_be_lost(tmp_path: Path) -> None:
    labor = read_arff(LABOR)
    weighted = Dataset(labor.schema, labor.columns, np.full(labor.n_rows, 2.0))
    for ending in (".csv", ".names"):
        with pytest.raises(DataError, match="no case weights"):
            write_dataset(weighted, tmp_path / f"labor{ending}")
    assert not list(tmp_path.iterdir())


def test_columns_in_another_order_are_matched_by_name(shared: Path) -> None:
    train, test = (read_dataset(shared / "cases" / f"T13_{part}.csv") for part in ("train", "test"))
    matched = match(test, train.schema)
    assert matched.columns[0].tolist() == [2, 8, 1, 9]
    assert matched.columns[1].tolist() == [8, 2, 9, 1]


# --------------------------------------------------------------------------------------------------- C4.5


@anything
@given(dataset=datasets(("numeric", "nominal"), weighted=False, words=plain_words))
def test_c45_files_keep_the_values_or_are_refused(tmp_path: Path, dataset: Dataset) -> None:
    try:
        write_dataset(dataset, tmp_path / "any.names")
    except DataError:
        last = dataset.schema.class_attribute
        assert not last.is_nominal or any(
            a.is_nominal and len(a.categories) < 2 for a in dataset.schema.attributes
        )
        return
    again = read_dataset(tmp_path / "any.data")
    inputs = len(dataset.schema.attributes) - 1
    assert again.schema.attributes[:inputs] == dataset.schema.attributes[:inputs]
    assert again.schema.classes == dataset.schema.classes
    assert_same_columns(dataset, again)


def test_c45_names_with_comments_escapes_and_entries_over_lines(tmp_path: Path) -> None:
    (tmp_path / "table.names").write_text(
        "| a comment\nyes, no\\.   | and one here\n\n"
        "size  in cm: continuous.\ncolour: dark  blue,\n   red\\, or so, 3.5.\nkey: ignore.\nshop: discrete 5\n"
    )
    found = read_text(
        tmp_path, "1.5, dark blue, k1, b, yes.\r\n?,red\\, or so,k2,a,no\\.\n\n2,3.5,k3,?,?\n", ".data"
    )
    assert [a.name for a in found.schema.attributes] == ["size in cm", "colour", "shop", "class"]
    assert [a.categories for a in found.schema.attributes[1:]] == [
        ("dark blue", "red, or so", "3.5"),
        ("b", "a"),
        ("yes", "no."),
    ]
    assert rows(found) == [
        [1.5, "dark blue", "b", "yes"],
        [None, "red, or so", "a", "no."],
        [2.0, "3.5", None, None],
    ]


def test_c45_first_entry_may_name_the_class(tmp_path: Path) -> None:
    (tmp_path / "table.names").write_text("colour.\nx: continuous.\ncolour: a, b.\ny: continuous.\n")
    found = read_text(tmp_path, "1,b,2\n", ".data")
    assert found.schema.class_attribute.name == "colour"
    assert rows(found) == [[1.0, "b", 2.0]]


@pytest.mark.parametrize(
    ("names", "data", "message"),
    [
        ("a, b.\nx: continuous.\n", "1,a\n1\n", "table.data:2: 1 values were found, 2 expected"),
        ("a, b.\nx: continuous.\n", "\none,a\n", "table.data:2: a number was expected for 'x', not 'one'"),
        ("a, b.\nx: u, v.\n", "w,a\n", "table.data:1: one of u, v was expected for 'x', not 'w'"),
        ("a, b.\nx: label.\n", "w,a\n", "table.names:2: 'x' is of the kind 'label', which only C5.0 knows"),
        ("a, b.\nx: continuous.\nx: u, v.\n", "", "table.names:3: a second attribute is called 'x'"),
        ("x: continuous.\n", "", "table.names:1: the classes were expected first"),
        ("a, a.\n", "", "table.names:1: attribute 'class' declares the category 'a' twice"),
    ],
)
def test_c45_files_that_are_wrong_are_refused(tmp_path: Path, names: str, data: str, message: str) -> None:
    (tmp_path / "table.names").write_text(names)
    with pytest.raises(DataError) as caught:
        read_text(tmp_path, data, ".data")
    assert message in str(caught.value)


def test_c45_without_a_names_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"table\.names: No such file"):
        read_text(tmp_path, "1,2\n", ".data")


# ------------------------------------------------------------------------------------------------ bunches


def test_sklearn_sets_by_name() -> None:
    found = read_dataset("sklearn:iris")
    assert (found.n_rows, found.name, found.schema.classes) == (
        150,
        "iris",
        ("setosa", "versicolor", "virginica"),
    )
    with pytest.raises(DataError, match="there are: breast_cancer, digits, iris, wine"):
        read_dataset("sklearn:irish")


def test_a_bunch_of_frames_keeps_its_categories() -> None:
    pd = pytest.importorskip("pandas")
    from sklearn.datasets import load_iris
    from sklearn.utils import Bunch

    frame = pd.DataFrame({"a": ["u", "v"], "b": [1.0, np.nan]})
    target = pd.Series(pd.Categorical(["n", "p"], categories=["p", "n"]), name="sign")
    found = from_bunch(Bunch(data=frame, target=target), "made up")
    assert found.schema.class_attribute == Attribute("sign", "nominal", ("p", "n"))
    assert rows(found) == [["u", 1.0, "n"], ["v", None, "p"]]
    assert from_bunch(load_iris(as_frame=True)).schema.classes == ("0", "1", "2")


def test_openml_without_a_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from urllib.error import URLError

    import sklearn.datasets

    def unreachable(**options: object) -> None:
        raise URLError("no route")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", unreachable)
    with pytest.raises(
        DataError, match=r"OpenML's data set 61 is not in the cache, and www\.openml\.org cannot be"
    ):
        read_dataset("openml:61")
    with pytest.raises(DataError, match="have numbers"):
        read_dataset("openml:iris")


# -------------------------------------------------------------------------------------------------- doors


def test_endings_that_mean_nothing_are_refused_with_those_that_do(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"ends in one of \.arff"):
        read_dataset(tmp_path / "table.xls")


@pytest.mark.parametrize("name", ["a.arff", "a.csv", "a.parquet", "a.data"])
def test_a_file_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match="a\\."):
        read_dataset(tmp_path / name)


def test_the_class_goes_last() -> None:
    schema = Schema((Attribute("c", "nominal", ("p",)), Attribute("x")), 0)
    moved = class_last(Dataset(schema, (np.zeros(1, np.int32), np.ones(1))))
    assert [a.name for a in moved.schema.attributes] == ["x", "c"]
    assert moved.schema.class_index == 1
    assert class_last(moved) is moved


def test_a_dataset_is_shown_in_a_line() -> None:
    labor = read_arff(LABOR)
    assert repr(labor) == "<Dataset 'labor': 57 rows, 17 attributes, class 'class'>"
    weighted = Dataset(Schema(labor.schema.attributes), labor.columns, np.ones(57))
    assert repr(weighted) == "<Dataset '': 57 rows, 17 attributes, class none, weighted>"
