"""The queries, run in SQLite and DuckDB: what ``predict`` says, unknown and unseen values included."""

import sqlite3

import numpy as np
import pytest
from build_trees import Leaf, Test, deep_tree, tree
from export_cases import FORESTS, SCHEMA, SINGLES, cases, expected

from treeforge.data import Attribute, Schema
from treeforge.errors import ModelError
from treeforge.export.sql import to_sql

ROWS = cases(150)
INPUTS = [a.name for a in SCHEMA.inputs]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def run_sqlite(query, columns, kinds, rows):
    base = sqlite3.connect(":memory:")
    base.execute(
        f"CREATE TABLE data ({', '.join(f'{quoted(c)} {k}' for c, k in zip(columns, kinds, strict=True))})"
    )
    base.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(columns))})", rows)
    cursor = base.execute(query)
    names = [d[0] for d in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def run_duckdb(query, columns, kinds, rows):
    duckdb = pytest.importorskip("duckdb")
    base = duckdb.connect()
    kinds = ["DOUBLE" if k == "REAL" else "VARCHAR" for k in kinds]
    base.execute(
        f"CREATE TABLE data ({', '.join(f'{quoted(c)} {k}' for c, k in zip(columns, kinds, strict=True))})"
    )
    base.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(columns))})", rows)
    found = base.execute(query)
    names = [d[0] for d in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


ENGINES = [run_sqlite, run_duckdb]
KINDS = ["TEXT" if a.is_nominal else "REAL" for a in SCHEMA.inputs]


@pytest.mark.parametrize("form", ["case", "cte", "plain"])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("number", range(len(SINGLES)))
def test_query_says_what_predict_says(engine, form, number):
    model = SINGLES[number]
    probabilities, labels = expected(model, ROWS)
    keyed = [(i, *(row[name] for name in INPUTS)) for i, row in enumerate(ROWS)]
    found = engine(to_sql(model, form=form), ["row key", *INPUTS], ["REAL", *KINDS], keyed)
    assert len(found) == len(ROWS)
    found.sort(key=lambda row: row["row key"])
    for row, truth, label, case in zip(found, probabilities, labels, ROWS, strict=True):
        assert [row[name] for name in INPUTS] == [case[name] for name in INPUTS]
        if form == "plain":
            # refuses (NULL) where a share would be needed, never another class
            assert row["prediction"] in (label, None)
            if all(v is not None and v != "never seen" for v in case.values()):
                assert row["prediction"] == label
            continue
        np.testing.assert_allclose(
            [row[f"probability of {c}"] for c in SCHEMA.classes], truth, rtol=0, atol=1e-14
        )
        if np.partition(truth, -2)[-1] - np.partition(truth, -2)[-2] > 1e-12 or truth.max() == 0:
            assert row["prediction"] == label


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("form", ["case", "cte", "plain"])
@pytest.mark.parametrize("closed_left", [False, True])
def test_thresholds_are_exact_to_the_last_bit(engine, form, closed_left):
    rng = np.random.default_rng(1)
    cuts = [0.1, 1 / 3, 0.30000000000000004, 5e-324, 1.7976931348623157e308, 2.0**60 + 2**9, 1e16 + 2, 3.1e-6]
    cuts += (rng.random(30) * 10.0 ** rng.integers(-30, 30, 30)).tolist()
    schema = Schema((Attribute("x"), Attribute("y", "nominal", ("low", "high"))), 1)
    for cut in [*cuts, *(-c for c in cuts)]:
        grown = tree(Test(0, [Leaf([1, 0]), Leaf([0, 1])], cuts=[cut], closed_left=closed_left))
        with np.errstate(over="ignore"):
            values = [np.nextafter(cut, -np.inf), cut, np.nextafter(cut, np.inf)]
        values = [float(v) for v in values if np.isfinite(v)]
        found = engine(to_sql(grown, schema, form=form), ["x"], ["REAL"], [(v,) for v in values])
        truth = ["low" if v < cut or (v == cut and not closed_left) else "high" for v in values]
        by_value = {row["x"]: row["prediction"] for row in found}
        assert [by_value[v] for v in values] == truth


@pytest.mark.parametrize("engine", ENGINES)
def test_deep_trees_are_walked_by_the_cte_and_refused_by_the_others(engine):
    schema = Schema((Attribute("x"), Attribute("y", "nominal", ("a", "b"))), 1)
    grown = deep_tree(1000)
    for form in ("case", "plain"):
        with pytest.raises(ModelError, match="too deep"):
            to_sql(grown, schema, form=form)
    found = engine(to_sql(grown, schema, form="cte"), ["x"], ["REAL"], [(0.0,), (500.7,), (999.6,), (None,)])
    answers = {row["x"]: row["probability of a"] for row in found}
    assert answers[0.0] == 1
    assert answers[500.7] == 0
    assert answers[999.6] == 1
    assert answers[None] == pytest.approx(501 / 1001)


def test_what_sql_cannot_express_is_refused():
    with pytest.raises(ModelError, match="several trees that vote"):
        to_sql(FORESTS[0])
    with pytest.raises(ModelError, match="no SQL form"):
        to_sql(SINGLES[0], form="select")
    nul = Schema((Attribute("x\0"), Attribute("y", "nominal", ("a", "b"))), 1)
    with pytest.raises(ModelError, match="NUL"):
        to_sql(deep_tree(2), nul)


def test_other_table_name():
    assert 'FROM "my ""table""" AS d' in to_sql(SINGLES[0], table='my "table"')
