"""What ARFF files may look like, kind by kind: read as Weka reads it, or refused with line and column."""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from reference_arff import Refused, read

from treeforge.data import ArffReader, read_arff
from treeforge.errors import DataError

HEAD = "@relation r\n@attribute a numeric\n@attribute b {x,y,'z z','?'}\n@attribute c string\n@data\n"
ONE = "@relation r\n@attribute a numeric\n@data\n"


def rows_of(path: Path, text: str | bytes, **options: str) -> list[list[Any]]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    dataset = read_arff(path, **options)
    columns = [
        [None if c < 0 else a.categories[c] for c in column]
        if a.is_nominal
        else [None if v is None or v != v else v for v in column]
        for a, column in zip(dataset.schema.attributes, dataset.columns, strict=True)
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def refusal(path: Path, text: str | bytes) -> str:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DataError) as caught:
        read_arff(path)
    assert caught.value.file == str(path)
    return f"{caught.value.line}:{caught.value.column}: {caught.value.message}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.arff"


NUMBERS = {
    "+1": 1, ".5": 0.5, "5.": 5, "-.5": -0.5, "1e5": 1e5, "1E+5": 1e5, "1e-5": 1e-5, "00012": 12, "1d": 1, "1.5F": 1.5,
    "0x1p3": 8, "0x.8P1": 1, "Infinity": math.inf, "-Infinity": -math.inf, "1e400": math.inf, "4.9e-324": 5e-324,
    "1e-400": 0, "9007199254740993": 9007199254740992, "9007199254740992.5": 9007199254740992,
    "12345678901234567890": 12345678901234567000, "0.30000000000000004": 0.30000000000000004,
    "1e22": 1e22, "1e23": 1e23, "0x1p9999": math.inf, "-0x1p9999": -math.inf,
    "9007199254740993e1": 9007199254740993e1, "1e0000000005": 1e5, "72057594037927944": 72057594037927936,
    "12345678": 12345678, "1234567.8": 1234567.8, "'5'": 5, '" 7\t"': 7, "'\\65'": 5,
}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_number_is_the_nearest_double(path: Path, text: str) -> None:
    assert rows_of(path, f"{ONE}{text}\n") == [[float(NUMBERS[text])]]


def test_numbers_of_all_lengths_and_scales_are_the_nearest_doubles(path: Path) -> None:
    random = Random(0)
    words = []
    for _ in range(30_000):
        sign, digits = random.choice(["", "-"]), str(random.randrange(10 ** random.randrange(1, 21)))
        point = random.randrange(len(digits) + 1)
        exponent = random.choice(["", "", f"e{random.randrange(-30, 30)}"])
        words.append(f"{sign}{digits[:point]}{random.choice(['', '.'])}{digits[point:]}{exponent}")
        words.append(repr(random.random() * 10.0 ** random.randrange(-25, 25)))
    assert [row[0] for row in rows_of(path, ONE + "\n".join(words))] == list(map(float, words))


@pytest.mark.parametrize(
    "text",
    "nan inf 0x10 1_000 1;5 -+1 - + . e5 1e 1e+ 1.2.3 --1 '?' 1Infinity １ @data 'x' ''".split(),  # noqa: SIM905
)
def test_what_is_no_number_is_refused(path: Path, text: str) -> None:
    assert refusal(path, f"{ONE}\n{text}").startswith("5:1: a number was expected for 'a', not")


READ: dict[str, list[list[Any]]] = {
    "1\tx\tq\n": [[1, "x", "q"]],
    "  \t ,1,x,q\n": [[1, "x", "q"]],
    "1, x,\tq ,,\n": [[1, "x", "q"]],
    "1,x,q\r\n2,y,w\r\n": [[1, "x", "q"], [2, "y", "w"]],
    "1,x,q\r2,y,w\r": [[1, "x", "q"], [2, "y", "w"]],
    "1,x,q\r\n2,y,w\n3,x,e\r4,y,r": [[1, "x", "q"], [2, "y", "w"], [3, "x", "e"], [4, "y", "r"]],
    "\n\n1,x,q\n\n  \n2,y,w\n": [[1, "x", "q"], [2, "y", "w"]],
    "%hi, {\n1,x,q%there\n  % 'foo\n2,y,w % bar\n": [[1, "x", "q"], [2, "y", "w"]],
    "1,x,50%off\n": [[1, "x", "50"]],
    "?,?,?\n1,'?','?'\n": [[None, None, None], [1, "?", "?"]],
    "'1','x',\"q\"\n": [[1, "x", "q"]],
    "1,'z z','a,b%c{d}'\n": [[1, "z z", "a,b%c{d}"]],
    "1,x,'a\\nb\\tc\\\\d\\'e\\\"f\\%g\\rh'\n": [[1, "x", "a\nb\tc\\d'e\"f%g\rh"]],
    "1,x,'\\101\\60\\7\\777\\400\\8\\18\\377\\0'\n": [[1, "x", "A0\x07?7 08\x018\xff\0"]],
    "1,x,'\\a\\b\\f\\v\\z\\u001E\\x41'\n": [[1, "x", "\a\b\f\vzu001Ex41"]],
    "{0 1,1 y,2 q}\n{0 2,2 w}\n{ 2 'a b' }\n{,2\tq,}\n": [
        [1, "y", "q"], [2, "x", "w"], [0, "x", "a b"], [0, "x", "q"]
    ],
    "1,x,q\n{00 1,002 q}\n{0 ?, 1 ?, 2 ?}\n": [[1, "x", "q"], [1, "x", "q"], [None, None, None]],
    "1\x01x\x02q\n2\x00y,w\n3\x0cx\x0be\n\x1a": [[1, "x", "q"], [2, "y", "w"], [3, "x", "e"]],
    "1,x,a\u00a0b\n2,x,a\u3000b\n3,x,a\u2028b\n4,x,a\u0085b\n5,x,😀\n": [
        [1, "x", "a\u00a0b"], [2, "x", "a\u3000b"], [3, "x", "a\u2028b"], [4, "x", "a\u0085b"], [5, "x", "😀"]
    ],
    "1,x,'a\tb\x1e'\n": [[1, "x", "a\tb\x1e"]],
    "1,x,@data\n2,x,a\\nb\n3,x,\\\n4,x,''\n": [[1, "x", "@data"], [2, "x", "a\\nb"], [3, "x", "\\"], [4, "x", ""]],
    "": [],
    "% nothing\n": [],
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_rows_are_read_as_weka_reads_them(path: Path, text: str) -> None:
    if "\\777" in text:  # octal codes end at 377
        READ[text] = [[1, "x", "A0\x07" + chr(0o77) + "7" + chr(0o40) + "08" + "\x018" + "\xff\0"]]
    assert rows_of(path, HEAD + text) == READ[text]
    assert read(path.read_bytes())["rows"] == READ[text]  # the slow reader agrees


REFUSED = {
    "1,x,q,more\n": "6:7: the row should end here: it has 3 values, and 'more' follows",
    "1,x,q,1,x,q\n": "6:7: the row should end here: it has 3 values, and '1' follows",
    "1,x\n2,y,w\n": "6:4: the row has less than 3 values: 'c' is missing",
    "1,x % q\n": "6:5: the row has less than 3 values: 'c' is missing",
    ",,,\n1,x,q\n": "6:4: the row has less than 3 values: 'a' is missing",
    "1,w,q\n": "6:3: 'w' is no category of 'b' (declared: x, y, z z, ?)",
    "1,X,q\n": "6:3: 'X' is no category of 'b' (declared: x, y, z z, ?)",
    "1,'\\170x',q\n": "6:3: '\\170x' is no category of 'b' (declared: x, y, z z, ?)",
    "1,x,q,{a}\n": "6:8: a weight, a number not below 0, was expected, not 'a'",
    "1,x,q,{-1}\n": "6:8: a weight, a number not below 0, was expected, not '-1'",
    "1,x,q,{NaN}\n": "6:8: a weight, a number not below 0, was expected, not 'NaN'",
    "1,x,q,{?}\n": "6:8: a weight, a number not below 0, was expected, not '?'",
    "1,x,q,{}\n": "6:8: a weight, a number not below 0, was expected, not '}'",
    "1,x,q,{5\n": "6:9: a closing brace was expected, not the end of the line",
    "1,x,q,{5} 6\n": "6:11: the row should end here: it has 3 values, and '6' follows",
    "1,x,'abc\n2,y,w\n": "6:5: the quote is never closed on this line",
    "1,x,'abc\\'\n": "6:5: the quote is never closed on this line",
    "1,x,'a\\\n": "6:5: the quote is never closed on this line",
    "1,x,'ab'cd\n": "6:5: a quote and a word without a delimiter between them: put the whole value in quotes",
    "1,x,'ab''cd'\n": "6:5: a quote and a word without a delimiter between them: put the whole value in quotes",
    "1,x,don't\n": "6:5: a quote and a word without a delimiter between them: put the whole value in quotes",
    "1,x,}\n": "6:5: a value was expected for 'c', not '}'",
    "1,x,{q}\n": "6:5: a value was expected for 'c', not '{'",
    "1,é,q\n": "6:3: 'é' is no category of 'b' (declared: x, y, z z, ?)",
    "1,x,éé,q\n": "6:8: the row should end here: it has 3 values, and 'q' follows",
    "{1 y,0 1,2 q}\n": "6:6: the attributes' numbers have to ascend: '0' comes too late or twice",
    "{0 1,0 2,2 q}\n": "6:6: the attributes' numbers have to ascend: '0' comes too late or twice",
    "{0 1,2 q,3 5}\n": "6:10: attributes are numbered from 0 to 2: there is no '3'",
    "{-1 1,2 q}\n": "6:2: an attribute's number and a blank were expected, not '-1'",
    "{0,2 q}\n": "6:6: an attribute's number and a blank were expected, not 'q'",
    "{0 }\n": "6:4: a value was expected for 'a', not '}'",
    "{0 1,2 q\n": "6:9: a closing brace was expected, not the end of the line",
    "{0 1,2 q% remark }\n": "6:9: a closing brace was expected, not '%'",
    "{0 1,2 q} more\n": "6:11: the row should end here: it has 3 values, and 'more' follows",
    "{0 1}\n": "6:5: a sparse row cannot omit 'c': a text has no zero, and no category is the first of none",
}


@pytest.mark.parametrize("text", REFUSED)
def test_rows_that_would_be_read_with_a_loss_are_refused(path: Path, text: str) -> None:
    assert refusal(path, HEAD + text) == REFUSED[text]
    with pytest.raises(Refused):
        read(path.read_bytes())


REFUSED_HEADS = {
    "": "1:1: the file ends here, without @data",
    "% nothing\n": "2:1: the file ends here, without @data",
    "hello world\n": "1:1: @relation was expected, not 'hello'",
    "@attribute a numeric\n": "1:1: @relation was expected, not '@attribute'",
    "@relation\n": "1:1: a name of the relation was expected",
    "@relation my data\n": "1:14: the line should end here: a name with blanks needs quotes",
    "@relation r\n@data\n": "2:1: @attribute was expected: none is declared before @data",
    "@relation r\n@attribute a numeric\n": "3:1: the file ends here, without @data",
    "@relation r\n@attribut a numeric\n": "2:1: @attribute or @data was expected, not '@attribut'",
    "@relation r\n'@attribute' a numeric\n": "2:1: @attribute or @data was expected, not ''@attribute''",
    "@relation r\n@attribute\n": "2:1: a name of the attribute was expected",
    "@relation r\n@attribute {a} numeric\n": "2:12: a name of the attribute was expected",
    "@relation r\n@attribute a\n": "2:12: attribute 'a' has no type: numeric, real, integer, string, date or a list "
    "in braces was expected",
    "@relation r\n@attribute a float\n": "2:14: numeric, real, integer, string, date or a list in braces was "
    "expected as type of 'a', not 'float'",
    "@relation r\n@attribute a relational\n": "2:14: relational attributes are not supported: a tree tests single "
    "values",
    "@relation r\n@attribute a numeric\n@attribute a real\n": "3:12: a second attribute is called 'a'",
    "@relation r\n@attribute a {x,y,x}\n": "2:19: attribute 'a' declares the category 'x' twice",
    "@relation r\n@attribute a {x,\ny}\n": "2:15: the list of categories of 'a' is never closed: } was expected",
    "@relation r\n@attribute a {x,{y}}\n": "2:17: a category with a brace needs quotes",
    "@relation r\n@attribute a {x,y} foo\n": "2:20: the line should end behind the categories, not with 'foo'",
    "@relation r\n@attribute a numeric {1,2}\n": "2:22: a weight in braces or the end of the line was expected",
    "@relation r\n@attribute a date yyyy-ww\n": "2:19: the letter 'w' of the date format is not supported "
    "(supported: yMdHhkKmsSaEzZX)",
    '@relation r\n@attribute a date "yyyy\'"\n': "2:19: a quote in the date format is never closed",
    "@relation r\n@attribute 'a numeric\n": "2:12: the quote is never closed on this line",
}


@pytest.mark.parametrize("text", REFUSED_HEADS)
def test_headers_that_are_wrong_are_refused(path: Path, text: str) -> None:
    assert refusal(path, text) == REFUSED_HEADS[text]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("@RELATION r\n@ATTRIBUTE a NUMERIC\n@DATA\n1\n", [[1]]),
        ("   @relation r\n\t@attribute 'a' Integer\n  @data\n1.5\n", [[1.5]]),
        ("% c\n\n@relation r % my data\n%d\n@attribute a numeric %e\n@data % f\n%g\n1\n", [[1]]),
        ("@relation r\n@attribute a numeric in centimetres\n@data\n1\n", [[1]]),
        ("@relation r\n@attribute a numeric {2}\n@attribute b {x} {3.5}\n@data\n1,x\n", [[1, "x"]]),
        ("@relation r\n@attribute a{x y\tz,,w,}\n@data\nz\nw", [["z"], ["w"]]),
        ("@relation r\n@attribute a {x,?}\n@data\nx\n?\n'?'\n", [["x"], [None], ["?"]]),
        ("@relation r\n@attribute a {}\n@data\n?\n", [[None]]),
        ("@relation r\n@attribute a numeric\n@attribute A real\n@data 1,2\n3,4\n", [[1, 2], [3, 4]]),
        ("@relation r\n@attribute a numeric\n@data,3\n", [[3]]),
        ("@relation ''\n@attribute '' numeric\n@data\n1\n", [[1]]),
        ("\ufeff@relation r\n@attribute a {é}\n@data\né\n", [["é"]]),
    ],
)
def test_headers_are_read_as_weka_reads_them(path: Path, text: str, rows: list[list[Any]]) -> None:
    assert rows_of(path, text) == rows
    assert read(path.read_bytes())["rows"] == rows


def test_keel_headers_name_the_class_and_the_unknown(path: Path) -> None:
    text = (
        "@relation k\n@attribute c {p, n}\n@attribute a real [0.1, 7.9]\n@attribute b integer[1,5]\n"
        "@inputs a, b\n@outputs c\n@data\np, 0.5, 3\nn, <null>, 4\n"
    )
    assert rows_of(path, text) == [["p", 0.5, 3], ["n", None, 4]]
    assert read_arff(path).schema.class_attribute.name == "c"
    assert read_arff(path, class_attribute="a").schema.class_index == 1
    # elsewhere the word is one like any other
    assert refusal(path, ONE + "<null>\n").startswith("4:1: a number was expected")


def test_weights(path: Path) -> None:
    text = (
        HEAD
        + "1,x,q,{5}\n2,y,w {0.5}\n3,x,e{2}\n4,x,e, { 0 } % c\n5,x,e,{'7'}\n6,x,e\n{2 q}{8}\n{2 q},{1e1}\n"
    )
    assert len(rows_of(path, text)) == 8
    weights = read_arff(path).weights
    assert weights is not None
    assert weights.tolist() == [5, 0.5, 2, 0, 7, 1, 8, 10]
    rows_of(path, HEAD + "1,x,q,{1}\n")
    assert read_arff(path).weights is None


DATES = {
    ("yyyy-MM-dd'T'HH:mm:ss", "2020-01-02T03:04:05"): 1577934245000,
    ("dd MMM yyyy", "7 Feb 2021"): 1612656000000,
    ("dd MMM yyyy", "07 February 2021"): 1612656000000,
    ("yy-M-d", "21-3-4"): 1614816000000,
    ("yyyyMMdd", "20210203"): 1612310400000,
    ("yyyy-MM-dd", "1500-02-03"): -14828140800000,  # Julian
    ("yyyy-MM-dd", "1582-10-15"): -12219292800000,
    ("yyyy-MM-dd", "0001-01-01"): -62135769600000,
    ("yyyy-MM-dd HH:mm Z", "2021-02-03 04:05 +0130"): 1612319700000,
    ("yyyy-MM-dd HH:mm z", "2021-02-03 04:05 GMT+01:30"): 1612319700000,
    ("yyyy-MM-dd'T'HH:mmX", "2021-02-03T04:05Z"): 1612325100000,
    ("yyyy-MM-dd'T'HH:mmXXX", "2021-02-03T04:05+01:30"): 1612319700000,
    ("h:mm a", "12:05 AM"): 300000,
    ("h:mm a", "12:05 PM"): 43500000,
    ("K:mm a", "11:05 pm"): 83100000,
    ("kk:mm", "24:05"): 300000,
    ("EEE, d MMM yyyy", "Wednesday, 3 Feb 2021"): 1612310400000,
    ("yyyy'year'MM''dd", "2021year03'04"): 1614816000000,
    ("HH:mm", " 9: 05"): 32700000,
    ("ss.SSS", "5.5"): 5005,
    ("yy", "46"): 2398377600000,
    ("yy", "47"): -725846400000,
    ("yyy", "12"): -61788700800000,
}


@pytest.mark.parametrize(("pattern", "text"), DATES)
def test_dates_are_milliseconds_utc(
    path: Path, pattern: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")  # the zone of the machine does not matter
    time.tzset()
    try:
        file = f'@relation r\n@attribute a date "{pattern}"\n@attribute b numeric\n@data\n"{text}",0\n?,0\n{{1 5}}\n'
        assert [row[0] for row in rows_of(path, file)] == [DATES[pattern, text], None, 0]
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("yyyy-MM-dd", "2021-02-30"),
        ("yyyy-MM-dd", "1582-10-10"),
        ("yyyy-MM-dd", "2021-02-03xyz"),
        ("HH:mm", "24:00"),
        ("HH:mm", "23:60"),
        ("ss.SSS", "5.1234"),
        ("yyyy", "-5"),
        ("yyyy", "0"),
        ("EEE d MMM yyyy", "Tue 3 Feb 2021"),
        ("yyyyMMdd", "202102"),
        ("Z", "+2500"),
        ("HH HH", "10 11"),
        ("h:mm a", "13:00 PM"),
    ],
)
def test_dates_that_no_calendar_has_are_refused(path: Path, pattern: str, text: str) -> None:
    file = f'@relation r\n@attribute a date "{pattern}"\n@data\n"{text}"\n'
    assert refusal(
        path, file
    ) == f"4:1: a date like {pattern} was expected for 'a', not '\"{text}\"'".replace("'\"", '"').replace(
        "\"'", '"'
    )


def test_encodings(path: Path) -> None:
    text = "@relation r\n@attribute a {x,é€}\n@data\né€\n"
    assert rows_of(path, text.encode("utf-16")) == [["é€"]]
    assert rows_of(path, b"% -*- coding: cp1252 -*-\n" + text.encode("cp1252")) == [["é€"]]
    assert rows_of(path, b"% made up\r\n% encoding = cp1252\r\n" + text.encode("cp1252")) == [["é€"]]
    assert rows_of(path, b"% coding: one-hot\n" + text.encode()) == [["é€"]]  # no encoding's name
    assert rows_of(path, text.encode("cp1252"), encoding="cp1252") == [["é€"]]
    assert refusal(path, text.encode("cp1252")).startswith("2:17: this is not UTF-8")
    with pytest.raises(DataError, match="no encoding has this name: unknown encoding: klingon"):
        read_arff(path, encoding="klingon")
    path.write_bytes(b"% coding: ascii\n% coding: utf-7\n" + b"@relation r\n")
    with pytest.raises(DataError, match="without @data"):
        read_arff(path)
    path.write_bytes(text.encode("utf-16") + b"x")
    with pytest.raises(DataError, match=r"table\.arff:5: this is not in the encoding"):
        read_arff(path)


def test_texts_that_are_not_utf_8_are_refused_where_they_stand(path: Path) -> None:
    assert refusal(path, HEAD.encode() + b"1,x,ok\n2,x,'\xff'\n").startswith("7:5: this is not UTF-8")
    assert rows_of(path, HEAD.encode() + b"1,x,ok % \xff\n") == [[1, "x", "ok"]]  # a remark may hold anything


def test_rows_longer_and_files_larger_than_a_block(path: Path) -> None:
    wide = 60_000
    names = "".join(f"@attribute a{i} numeric\n" for i in range(wide))
    row = ",".join(str(i % 997) for i in range(wide))
    path.write_text(f"@relation wide\n{names}@data\n{row}\n{row}\n")
    dataset = read_arff(path)
    assert dataset.n_rows == 2
    assert [column[1] for column in dataset.columns[:3]] == [0, 1, 2]
    long = "z" * 300_000
    path.write_text(f"{HEAD}1,x,{long}\n" * 1 + f"2,y,'{long}'\n")
    assert [len(text) for text in read_arff(path).columns[2]] == [300_000] * 2


def test_line_ends_of_two_bytes_across_the_border_of_a_block(path: Path) -> None:
    for n in range(1, 40):
        path.write_bytes(
            b"@relation r\r\n@attribute a string\r\n@data\r\n" + (b"z" * n + b"\r\n") * (140_000 // (n + 2))
        )
        dataset = read_arff(path)
        assert dataset.n_rows == 140_000 // (n + 2)
    path.write_bytes(path.read_bytes() + b"'")
    with pytest.raises(DataError) as caught:
        read_arff(path)
    assert caught.value.line == dataset.n_rows + 4


def test_blocks_of_rows_are_the_file(path: Path) -> None:
    path.write_text(
        HEAD + "".join(f"{i},{'xy'[i % 2]},t{i}" + (",{2}" if i == 7 else "") + "\n" for i in range(10))
    )
    whole = read_arff(path)
    for n in (1, 3, 5, 10, 11):
        with ArffReader(path) as reader:
            blocks = list(reader.blocks(n))
        assert [block.n_rows for block in blocks] == [n] * (10 // n) + [10 % n] * (10 % n > 0)
        assert np.concatenate([block.columns[2] for block in blocks]).tolist() == whole.columns[2].tolist()
        assert sum(block.weights is not None for block in blocks) == 1
    path.write_text(HEAD)
    with ArffReader(path) as reader:
        assert [block.n_rows for block in reader.blocks(3)] == [0]


def test_compressed_files_and_their_faults(path: Path, tmp_path: Path) -> None:
    import gzip

    packed = gzip.compress((HEAD + "1,x,q\n" * 50_000).encode())
    assert len(rows_of(path, packed)) == 50_000  # whatever its name
    assert "is damaged" in refusal_of_file(path, packed[: len(packed) // 2])
    assert "is damaged" in refusal_of_file(path, packed[:30] + b"\0\0\0\0\0\0" + packed[36:])
    assert "is damaged" in refusal_of_file(path, packed[:-6] + b"\0\0" + packed[-4:])
    assert refusal_of_file(tmp_path / "missing.arff", None) == "No such file or directory"
    assert refusal_of_file(tmp_path, None) == "Is a directory"


def refusal_of_file(path: Path, content: bytes | None) -> str:
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_arff(path)
    assert caught.value.file == os.fspath(path)
    return caught.value.message


def test_class_that_is_not_there_is_named(path: Path) -> None:
    path.write_text(ONE)
    with pytest.raises(DataError, match=r"no attribute is called 'z' \(there are: a"):
        read_arff(path, class_attribute="z")
