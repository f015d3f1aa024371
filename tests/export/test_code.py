"""Generated functions, run in their own languages: the same bits as ``predict``."""

import ctypes
import json
import shutil
import subprocess

import numpy as np
import pytest
from build_trees import deep_tree
from export_cases import FORESTS, SCHEMA, SINGLES, cases, expected

from treeforge.core.model import TreeModel
from treeforge.data import Attribute, Schema
from treeforge.errors import ModelError
from treeforge.export.code import to_c, to_java, to_javascript, to_python
from treeforge.export.subject import Subject

MODELS = [*SINGLES, *FORESTS]
ROWS = cases(200)
DEEP = Subject(
    Schema((Attribute("x"), Attribute("y", "nominal", ("a", "b"))), 1), TreeModel(deep_tree(10_000))
)
DEEP_CASES = [{"x": value} for value in (0.0, 0.5, 5000.7, 9999.6, None)]
DEEP_ANSWERS = [[1, 0], [1, 0], [0, 1], [1, 0], [5001 / 10001, 5000 / 10001]]


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


def check(model, answers):
    """Answers are (probabilities, label), one a row; ensembles may differ in the last bits of a sum."""
    probabilities, labels = expected(model, ROWS)
    found = np.array([p for p, _ in answers])
    if isinstance(model.fitted, TreeModel):
        assert np.array_equal(found, probabilities)
    else:
        np.testing.assert_allclose(found, probabilities, rtol=0, atol=1e-15)
    assert [label for _, label in answers] == labels


@pytest.mark.parametrize("model", MODELS)
def test_python(model):
    space = {}
    exec(compile(to_python(model), "model", "exec"), space)
    check(model, [(space["predict_proba"](row), space["predict"](row)) for row in ROWS])


def test_python_deep_tree():
    space = {}
    exec(compile(to_python(DEEP), "model", "exec"), space)
    np.testing.assert_allclose([space["predict_proba"](case) for case in DEEP_CASES], DEEP_ANSWERS)


@needs("node")
def test_javascript(tmp_path):
    for number, model in enumerate(MODELS):
        (tmp_path / f"model{number}.js").write_text(to_javascript(model), encoding="utf-8")
    (tmp_path / "deep.js").write_text(to_javascript(DEEP))
    (tmp_path / "rows.json").write_text(json.dumps([ROWS, DEEP_CASES]))
    (tmp_path / "main.js").write_text(
        "const [rows, deep] = JSON.parse(require('fs').readFileSync('rows.json'));\n"
        f"const answers = [...Array({len(MODELS)}).keys()].map((i) => {{\n"
        "  const model = require(`./model${i}.js`);\n"
        "  return rows.map((r) => [model.predictProba(new Map(Object.entries(r))), model.predict(r)]);\n"
        "});\n"
        "const chain = require('./deep.js');\n"
        "console.log(JSON.stringify([answers, deep.map(chain.predictProba)]));\n"
    )
    done = subprocess.run(["node", "main.js"], cwd=tmp_path, capture_output=True, text=True, check=True)
    answers, deep = json.loads(done.stdout)
    for model, found in zip(MODELS, answers, strict=True):
        check(model, found)
    np.testing.assert_allclose(deep, DEEP_ANSWERS)


def test_javascript_may_stand_in_a_page():
    for model in MODELS:
        assert "</script" not in to_javascript(model)
        assert "-->" not in to_javascript(model)


@needs("gcc")
def test_c(tmp_path):
    for number, model in enumerate([*MODELS, DEEP]):
        (tmp_path / f"m{number}.c").write_text(to_c(model, prefix=f"m{number}"), encoding="utf-8")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC"]
    sources = [f"m{number}.c" for number in range(len(MODELS) + 1)]
    subprocess.run(["gcc", *flags, "-o", "models.so", *sources], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "models.so"))

    def ask(number, values, n_classes=3):
        out = (ctypes.c_double * n_classes)()
        label = getattr(library, f"m{number}_predict")((ctypes.c_double * len(values))(*values), out)
        return list(out), label

    for number, model in enumerate(MODELS):
        code = getattr(library, f"m{number}_code")
        answers = []
        for row in ROWS:
            values = [
                float("nan")
                if row[a.name] is None
                else code(place, row[a.name].encode())
                if a.is_nominal
                else row[a.name]
                for place, a in enumerate(SCHEMA.inputs)
            ]
            out, label = ask(number, values)
            answers.append((out, SCHEMA.classes[label] if label >= 0 else None))
        check(model, answers)
    nan = float("nan")
    deep = [ask(len(MODELS), [nan if c["x"] is None else c["x"]], 2)[0] for c in DEEP_CASES]
    np.testing.assert_allclose(deep, DEEP_ANSWERS)


@needs("javac")
def test_java(tmp_path):
    for number, model in enumerate([*MODELS, DEEP]):
        (tmp_path / f"M{number}.java").write_text(to_java(model, name=f"M{number}"), encoding="utf-8")
    # rows come as JSON texts of their own, one a line; a line break within a category is written \\n there
    lines = []
    for row in ROWS:
        fields = ["?" if row[a.name] is None else ("=" + str(row[a.name])) for a in SCHEMA.inputs]
        lines.append("\t".join(f.replace("\n", "\x01") for f in fields))
    (tmp_path / "rows.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    nominal = ", ".join(str(a.is_nominal).lower() for a in SCHEMA.inputs)
    calls = "\n".join(
        f"for (Map<String, Object> r : rows) say(M{n}.predictProba(r), M{n}.predict(r));"
        for n in range(len(MODELS))
    )
    (tmp_path / "Main.java").write_text(
        "import java.nio.charset.StandardCharsets; import java.nio.file.*; import java.util.*;\n"
        "public class Main {\n"
        "  static java.io.PrintStream out;\n"
        "  static void say(double[] p, String label) {\n"
        '    out.println(Arrays.toString(p) + "\\t" + (label == null ? "?" : "=" + label));\n  }\n'
        "  public static void main(String[] a) throws Exception {\n"
        '    out = new java.io.PrintStream(System.out, true, "UTF-8");\n'
        f"    boolean[] nominal = {{{nominal}}};\n"
        "    List<Map<String, Object>> rows = new ArrayList<>();\n"
        '    for (String line : Files.readAllLines(Paths.get("rows.tsv"), StandardCharsets.UTF_8)) {\n'
        '      String[] f = line.split("\\t", -1); Map<String, Object> r = new HashMap<>();\n'
        "      for (int i = 0; i < f.length; i++) {\n"
        "        String t = f[i].substring(1).replace('\\001', '\\n');\n"
        '        Object v = nominal[i] ? (Object) t : f[i].equals("?") ? null : (Object) Double.valueOf(t);\n'
        '        r.put(M0.inputs()[i], f[i].equals("?") ? null : v);\n      }\n'
        "      rows.add(r);\n    }\n"
        f"    {calls}\n"
        f"    for (Object x : new Object[] {{0.0, 0.5, 5000.7, 9999.6, null}}) "
        f"say(M{len(MODELS)}.predictProba(new Object[] {{x}}), null);\n"
        "  }\n}\n",
        encoding="utf-8",
    )
    subprocess.run(
        ["javac", "-encoding", "UTF-8", "-Xlint:all", "-Werror", "Main.java"], cwd=tmp_path, check=True
    )
    done = subprocess.run(["java", "-cp", ".", "Main"], cwd=tmp_path, capture_output=True, check=True)
    said = []
    for line in done.stdout.decode().splitlines():
        numbers, label = line.split("\t")
        said.append(
            ([float(x) for x in numbers.strip("[]").split(", ")], None if label == "?" else label[1:])
        )
    for number, model in enumerate(MODELS):
        check(model, said[number * len(ROWS) : (number + 1) * len(ROWS)])
    np.testing.assert_allclose([p for p, _ in said[len(MODELS) * len(ROWS) :]], DEEP_ANSWERS)


@pytest.mark.parametrize("name", ["", "1a", "a b", "a;b", "é"])
def test_names_that_are_no_identifiers_are_refused(name):
    with pytest.raises(ModelError, match="cannot be called"):
        to_c(SINGLES[0], prefix=name)
    with pytest.raises(ModelError, match="cannot be called"):
        to_java(SINGLES[0], name=name)
