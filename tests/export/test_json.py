"""Model files: the same bytes, the same tree, and nothing that is not a sound model."""

import contextlib
import gzip
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from build_trees import Leaf, Test, deep_tree, tree

from treeforge.core.model import TreeModel, VoteModel
from treeforge.core.table import Table
from treeforge.data import Attribute, Schema
from treeforge.errors import ModelError
from treeforge.export.json import Document, dumps, loads, read, write

GOLDEN = Path(__file__).parent.parent / "golden"
SCHEMA = Schema(
    (
        Attribute("age"),
        Attribute("colour", "nominal", ("red", "green", "blue, or so", "🍉")),
        Attribute("when", "date", date_format="yyyy-MM-dd"),
        Attribute("class", "nominal", ("no", "yes")),
    ),
    3,
    "a 'relation'",
)
TOP = Test(
    0,
    [
        Test(1, [Leaf([0.4, 2.5]), Leaf([0, 0]), Leaf([3, 0])], branch_of=[0, 1, 2, 0]),
        Leaf([1 / 3, 7]),
        Test(2, [Leaf([5, 0]), Leaf([0, 4])], cuts=[1.6e12]),
    ],
    cuts=[-0.0, 31.5, 48.25],
    branch_of=[0, 1, 2, 0],
    closed_left=True,
)
TABLE = Table(
    [
        np.array([-1, 0.0, 31.5, 48.25, np.nan, np.nan, 40, 20.0]),
        np.array([0, 1, 2, 3, -1, 1, 0, -1], dtype=np.int32),
        np.array([0, 1e12, 2e12, np.nan, np.nan, 0, np.nan, 1.0]),
    ],
    [0, 4, 0],
    None,
    2,
)


def document():
    return Document(SCHEMA, TreeModel(tree(TOP, grown="by hand")), {"splitter": {"c45": {}}, "seed": 1})


def forest():
    trees = (tree(TOP), tree(Leaf([2, 3])))
    details = {"oob": np.array([0.5, np.nan]), "n": np.int64(3)}
    return Document(SCHEMA, VoteModel(trees, np.array([0.25, 1]), True, False, details))


def reseal(text):
    body = text[: text.index('"checksum"')]
    return f'{body}"checksum": "sha256:{hashlib.sha256(body.encode()).hexdigest()}"\n}}\n'


@pytest.mark.parametrize("make", [document, forest])
def test_read_and_written_again_it_is_the_same_bytes_and_predicts_the_same(make):
    first = make()
    text = dumps(first)
    again = loads(text)
    assert dumps(again) == text == dumps(make())
    assert again.schema == first.schema
    assert again.algorithm == first.algorithm
    assert np.array_equal(again.fitted.predict_proba(TABLE), first.fitted.predict_proba(TABLE))


def test_every_array_comes_back_bit_for_bit():
    first = document().fitted.tree
    again = loads(dumps(document())).fitted.tree
    for name, array in first.arrays().items():
        assert array.tobytes() == getattr(again, name).tobytes(), name
        assert array.dtype == getattr(again, name).dtype


def test_file_fits_the_schema_in_the_repository():
    jsonschema = pytest.importorskip("jsonschema")
    rules = json.loads((Path(dumps.__code__.co_filename).parent / "model.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(rules)
    for make in (document, forest):
        jsonschema.validate(json.loads(dumps(make())), rules)


def test_model_of_the_first_version_is_read_for_ever():
    """Never change this file: add one for each new version."""
    found = read(GOLDEN / "model-v1.tree.json")
    expected = json.loads((GOLDEN / "model-v1.predictions.json").read_text())
    assert found.fitted.predict_proba(TABLE).tolist() == expected
    assert found.schema == SCHEMA
    assert found.fitted.tree.arrays()["cuts"].tolist() == [-0.0, 31.5, 48.25, 1.6e12]


def test_this_version_writes_what_it_wrote_before():
    old = (GOLDEN / "model-v1.tree.json").read_text(encoding="utf-8").splitlines()
    new = dumps(document()).splitlines()
    assert [a for a in old if "written_by" not in a][:-2] == [a for a in new if "written_by" not in a][:-2]


def test_compressed_files_have_no_time_in_them(tmp_path):
    write(document(), tmp_path / "a.json.gz")
    write(document(), tmp_path / "b.json.gz")
    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()
    assert dumps(read(tmp_path / "a.json.gz")) == dumps(document())


def test_windows_line_ends_do_no_harm():
    assert dumps(loads(dumps(document()).replace("\n", "\r\n"))) == dumps(document())


def test_ten_thousand_levels():
    deep = Document(SCHEMA, TreeModel(deep_tree(10_000)))
    again = loads(dumps(deep)).fitted.tree
    assert again.depth == 10_000
    assert np.array_equal(again.parent, deep.fitted.tree.parent)


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9, 0.999])
def test_cut_off_file_is_refused(share):
    text = dumps(document())
    with pytest.raises(ModelError, match=r"^m\.json:"):
        loads(text[: int(len(text) * share)], file="m.json")


def test_changed_file_is_refused_unless_told_otherwise():
    text = dumps(document()).replace("31.5", "32.5")
    with pytest.raises(ModelError, match="changed after it was written"):
        loads(text)
    assert 32.5 in loads(text, verify=False).fitted.tree.cuts


def test_other_version_is_one_plain_sentence():
    text = reseal(dumps(document()).replace('"version": 1', '"version": 99'))
    with pytest.raises(ModelError, match=r"version 99, written by 'treeforge .*reads version 1"):
        loads(text)


def test_every_single_bit_flip_is_refused_or_harmless():
    raw = dumps(document()).encode()
    good = dumps(document())
    rng = np.random.default_rng(7)
    for place in rng.integers(0, len(raw), 300):
        broken = bytearray(raw)
        broken[place] ^= 1 << int(rng.integers(8))
        with contextlib.suppress(ModelError):
            assert dumps(loads(bytes(broken))) == good  # never a wrong tree


HOSTILE = {
    "huge": ("n_nodes", 10**9, "need 1000000000"),
    "negative": ("n_nodes", -1, "claims -1 nodes"),
    "true": ("n_nodes", True, "no int"),
    "cycle": ("first_child", [1, 0, -1, 7, -1, -1, -1, -1, -1], "come after their parent"),
    "two parents": ("first_child", [1, 4, -1, 4, -1, -1, -1, -1, -1], "exactly one node"),
    "outside": ("first_child", [1, 4, -1, 2**31 - 1, -1, -1, -1, -1, -1], "come after their parent"),
    "too large": ("first_child", [1, 4, -1, 2**70, -1, -1, -1, -1, -1], "too large"),
    "no such input": ("attribute", [0, 1, -1, 3, -1, -1, -1, -1, -1], "tests attribute 3 of 3"),
    "leaf with a test's parts": ("attribute", [0, -1, -1, 2, -1, -1, -1, -1, -1], "is a leaf"),
    "nominal with cuts": ("attribute", [1, 1, -1, 2, -1, -1, -1, -1, -1], "do not fit 'colour'"),
    "cell to nowhere": ("branch_of", [0, 1, 2, 0, 0, 1, 3, 0, 0, 1], "leads to branch 3"),
    "cuts descend": ("cuts", [31.5, 0, 48.25, 1], "do not ascend"),
    "text": ("cuts", ["x", 0, 48.25, 1], "where a number"),
    "negative weight": ("weight", [-1] * 9, "negative"),
    "marks": ("empty", [2] * 9, "other than 0 and 1"),
    "missing": ("share", None, "'share' of tree 1 is no list"),
    "more cuts than there are": ("n_cuts", [2**31 - 1] * 9, "need"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_tree_is_refused_in_one_line(what):
    name, value, message = HOSTILE[what]
    found = json.loads(dumps(document()))
    found["trees"][0][name] = value
    with pytest.raises(ModelError, match=message) as caught:
        loads(json.dumps(found), file="m.json", verify=False)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "1" * 5000])
def test_threshold_that_is_no_number_is_refused(number):
    text = dumps(document()).replace("31.5", number)
    with pytest.raises(ModelError):
        loads(text, verify=False)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{}", "[" * 100_000, '{"format": 1, "format": 2}', "\xff\xfe", "PK\x03\x04", '"a"'],
)
def test_what_is_no_model_is_refused(text):
    with pytest.raises(ModelError):
        loads(text.encode("latin-1"))


def test_unreadable_and_damaged_files_name_themselves(tmp_path):
    with pytest.raises(ModelError, match=r"none\.json: cannot be read"):
        read(tmp_path / "none.json")
    (tmp_path / "bad.gz").write_bytes(gzip.compress(dumps(document()).encode())[:200])
    with pytest.raises(ModelError, match=r"bad\.gz"):
        read(tmp_path / "bad.gz")
    with pytest.raises(ModelError, match="cannot be written"):
        write(document(), tmp_path / "no" / "such" / "folder.json")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.arff", "% made by hand\n@relation a\n"),
        ("renamed.json", "\n@relation a\n"),
        ("renamed.json", "% made by hand\n"),
        ("a.arff.gz", "@relation a\n"),
        ("a.csv", "a,b\n1,2\n"),
        ("a.parquet", "PAR1\xff"),
    ],
)
def test_data_in_the_place_of_a_model_is_called_so(tmp_path, name, text):
    path = tmp_path / name
    raw = text.encode("latin-1")
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    with pytest.raises(ModelError) as caught:
        read(path)
    assert str(caught.value) == f"{path}: this is a data file, and a model file is wanted here"


def test_a_model_may_have_any_name(tmp_path):
    path = tmp_path / "model.csv"
    path.write_text(dumps(document()))
    assert dumps(read(path)) == path.read_text()


def test_what_json_cannot_keep_is_refused_when_written():
    odd = Document(SCHEMA, TreeModel(tree(Leaf([1, 2]))), {"function": len})
    with pytest.raises(ModelError, match=r"algorithm\.function holds a builtin"):
        dumps(odd)
