"""``treeforge data``: show, info, convert, generate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treeforge.cli import main
from treeforge.data import read_arff, read_dataset

WEATHER = Path(__file__).resolve().parents[2] / "arff_data" / "weather.arff"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main(["data", *map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, err


def test_show_prints_every_row_as_text_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "show", WEATHER)
    assert out.splitlines()[:2] == ["outlook\ttemperature\thumidity\twindy\tplay", "sunny\t85\t85\tFALSE\tno"]
    assert len(out.splitlines()) == 15
    _, out, _ = run(capsys, "show", WEATHER, WEATHER, "--json")
    first, second = map(json.loads, out.splitlines())
    assert first == second
    assert first["attributes"][0] == {
        "name": "outlook",
        "type": "nominal",
        "values": ["sunny", "overcast", "rainy"],
    }
    assert first["rows"][0] == ["sunny", 85, 85, "FALSE", "no"]
    assert first["weights"] == [1] * 14


def test_show_has_weights_dates_texts_and_infinity(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "all.arff"
    path.write_text(
        "@relation r\n@attribute d date yyyy-MM-dd\n@attribute t string\n@attribute n numeric\n@data\n"
        "2021-02-28,'a\\tb\\n',-Infinity,{2.5}\n?,?,0.1\n"
    )
    _, out, _ = run(capsys, "show", path)
    assert out == "d\tt\tn\t(weight)\n2021-02-28\ta\\tb\\n\t-inf\t2.5\n?\t?\t0.1\t1\n"
    _, out, _ = run(capsys, "show", path, "--json")
    found = json.loads(out)
    assert found["rows"] == [[1614470400000, "a\tb\n", float("-inf")], [None, None, 0.1]]
    assert found["weights"] == [2.5, 1]
    assert "-1e999" in out  # valid JSON


def test_a_file_that_is_refused_is_one_line_and_status_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "short.arff"
    path.write_text("@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1\n")
    status, out, err = run(capsys, "show", path)
    assert (status, out) == (1, "")
    assert err == f"{path}:5:2: the row has less than 2 values: 'b' is missing\n"


def test_info_counts_and_measures(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "info", WEATHER)
    lines = out.splitlines()
    assert lines[0] == "weather: 14 rows, 4 inputs (2 nominal, 2 numeric), 0 unknown values"
    assert lines[3].split() == ["temperature", "numeric", "0", "12", "64", "73.5714", "85", "0.33"]
    assert lines[6].split() == ["*", "play", "nominal", "0", "2", "yes", "9,", "no", "5"]
    _, out, _ = run(capsys, "info", WEATHER, "--json", "--class", "outlook")
    found = json.loads(out)
    assert (found["rows"], found["class_name"], found["weight"]) == (14, "outlook", None)
    assert found["attributes"][4]["counts"] == {"yes": 9, "no": 5}
    assert found["attributes"][1]["skewness"] == pytest.approx(0.32822, abs=1e-5)


def test_info_of_odd_columns(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "odd.arff"
    path.write_text(
        "@relation r\n@attribute void numeric\n@attribute one numeric\n@attribute far numeric\n"
        "@attribute huge numeric\n"
        "@attribute day date yyyy-MM-dd\n@attribute text string\n@attribute c {a,b,'c c'}\n@data\n"
        "?,1,Infinity,1e308,2021-02-28,x,a,{2}\n?,1,0,-1.5e308,?,?,a\n"
    )
    status, out, _ = run(capsys, "info", path)
    assert status == 0
    assert "of total weight 3" in out
    assert "a 2 (2 declared, but in no row)" in out
    assert "2021-02-28" in out
    path.write_text("@relation r\n@attribute a numeric\n@attribute c {x}\n@data\n")
    assert run(capsys, "info", path)[0] == 0  # no rows


def test_convert_goes_by_the_endings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    before = read_arff(WEATHER)
    source: Path = WEATHER
    for name in ("w.parquet", "w.arff.gz", "w.csv", "w.names", "w.arff"):
        assert run(capsys, "convert", source, tmp_path / name) == (0, "", "")
        source = tmp_path / name
    after = read_dataset(tmp_path / "w.arff")
    assert after.n_rows == 14
    assert after.schema.names.keys() == {**before.schema.names, "class": 0}.keys() - {"play"}
    status, _, err = run(capsys, "convert", WEATHER, tmp_path / "w.xls")
    assert status == 1
    assert "a data file ends in one of" in err


def test_what_is_odd_about_a_file_is_a_line_on_standard_error_and_can_be_put_right(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "messy.csv"
    path.write_bytes("größe;alter;id;gruppe\n1,5;31;.;a\n2,25;n/a;x;b\n".encode("latin-1"))
    as_it_is = (path, "--encoding=latin-1")
    status, _, err = run(capsys, "info", *as_it_is)
    assert status == 0
    assert [line.split(" ", 2)[:2] for line in err.splitlines()] == [["warning:", f"{path}:"]] * 3
    assert "--unknown=n/a" in err
    put_right = (*as_it_is, "--decimal=,", "--unknown=n/a")
    status, _, err = run(capsys, "convert", *put_right, tmp_path / "m.arff", "--drop", "id")
    assert (status, err) == (0, "")  # what is odd about a column that is left out is nobody's concern
    assert [a.kind for a in read_arff(tmp_path / "m.arff").schema.attributes] == ["numeric"] * 2 + ["nominal"]
    for command in ("fit", "evaluate --folds=2"):
        assert main([*command.split(), *map(str, put_right), "--drop=id", "--json"]) == 0
        assert capsys.readouterr().err.count("messy.csv") == 0


def test_a_model_meets_data_in_the_same_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data, model = tmp_path / "d.csv", tmp_path / "m.json"
    data.write_text("x;y\n" + "1,5;a\n-;b\n3,5;b\n" * 4)
    words = ["--decimal=,", "--unknown=-"]
    assert main(["fit", str(data), *words, "-o", str(model)]) == 0
    for command in ("predict", "explain", "importance"):
        assert main([command, str(model), str(data), *words]) == 0
        assert capsys.readouterr().err == ""
    assert main(["show", str(model), "--as=rules", "--data", str(data), *words]) == 0
    assert main(["predict", str(model), str(data), "--decimal=,"]) == 1
    said = capsys.readouterr().err.splitlines()
    assert "--unknown=-" in said[0]
    assert "attribute 'x' is nominal here, but numeric in the model" in said[1]


def test_convert_puts_a_named_class_last(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run(capsys, "convert", WEATHER, tmp_path / "o.arff", "--class", "outlook")
    assert read_arff(tmp_path / "o.arff").schema.classes == ("sunny", "overcast", "rainy")


def test_convert_refuses_weights_unless_told_to_drop_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "w.arff"
    path.write_text("@relation r\n@attribute a numeric\n@attribute c {x}\n@data\n1,x,{2}\n")
    assert run(capsys, "convert", path, tmp_path / "w.csv")[0] == 1
    assert run(capsys, "convert", path, tmp_path / "w.csv", "--drop-weights")[0] == 0


def test_generate_is_seeded_and_takes_parameters(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("a.arff", "b.arff.gz"):
        arguments = (
            "generate",
            "agrawal",
            "--rows",
            9000,
            "--set",
            "function=2",
            "--seed",
            7,
            "-o",
            tmp_path / name,
        )
        assert run(capsys, *arguments)[0] == 0
    one, other = (read_arff(tmp_path / name) for name in ("a.arff", "b.arff.gz"))
    assert one.n_rows == 9000
    assert one.content_hash == other.content_hash
    status, _, err = run(capsys, "generate", "agrawal", "--set", "function=11")
    assert (status, err) == (1, "agrawal: function is a number from 1 to 10, not 11\n")
    status, _, err = run(capsys, "generate", "agrawl")
    assert status == 1
    assert "did you mean 'agrawal'?" in err


def test_attributes_are_dropped_by_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert (
        run(capsys, "convert", WEATHER, tmp_path / "d.arff", "--drop", "windy", "--drop", "humidity")[0] == 0
    )
    assert list(read_arff(tmp_path / "d.arff").schema.names) == ["outlook", "temperature", "play"]
    status, _, err = run(capsys, "convert", WEATHER, tmp_path / "d.arff", "--drop", "play")
    assert (status, err) == (1, "'play' is the class and cannot be dropped\n")


def test_a_text_attribute_is_refused_by_fit_unless_it_is_dropped(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "text.arff"
    path.write_text("@relation r\n@attribute t string\n@attribute c {x,y}\n@data\n'a b',x\n")
    assert main(["fit", str(path)]) == 1
    assert "attribute 't' is text, which no tree can test: drop it (--drop" in capsys.readouterr().err
    assert main(["fit", str(path), "--drop", "t"]) == 0
    assert "text: no tree can test it" in run(capsys, "info", path)[1]
