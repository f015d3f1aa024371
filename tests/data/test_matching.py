"""Columns in another order, categories declared otherwise: matched by name, or refused."""

import numpy as np
import pytest

from treeforge.data import Attribute, Dataset, Schema
from treeforge.data.matching import match
from treeforge.errors import DataError

MODEL = Schema(
    (
        Attribute("len"),
        Attribute("soil", "nominal", ("clay", "sand")),
        Attribute("class", "nominal", ("a", "b")),
    ),
    2,
)


def dataset(attributes, *columns):
    return Dataset(Schema(tuple(attributes), None), tuple(map(np.array, columns)))


def test_same_schema_is_the_same_dataset():
    data = Dataset(MODEL, (np.zeros(2), np.zeros(2, int), np.zeros(2, int)))
    assert match(data, MODEL) is data
    assert match(data, Schema(MODEL.attributes, 2)) is data


def test_columns_are_found_by_name_and_categories_by_text():
    kinds = [
        Attribute("class", "nominal", ("b", "a")),
        Attribute("more"),
        Attribute("soil", "nominal", ("peat", "sand", "clay")),
        Attribute("len"),
    ]
    found = match(dataset(kinds, [0, 1, -1, 0], [0, 0, 0, 0], [0, 1, 2, -1], [1.5, np.nan, 3, 4]), MODEL)
    assert found.schema is MODEL
    assert found.columns[1].tolist() == [-1, 1, 0, -1]  # peat is unknown to the model
    assert found.columns[2].tolist() == [1, 0, -1, 1]
    assert found.columns[0].tolist()[2:] == [3, 4]


def test_class_may_be_absent():
    found = match(
        dataset([Attribute("len"), Attribute("soil", "string")], [1.0], np.array(["sand"], object)), MODEL
    )
    assert found.class_codes.tolist() == [-1]
    assert found.columns[1].tolist() == [1]


def test_numbers_serve_for_categories_that_are_numbers():
    model = Schema((Attribute("zip", "nominal", ("1", "2.5")), MODEL.attributes[2]), 1)
    assert match(dataset([Attribute("zip")], [1, 2.5, 3, np.nan]), model).columns[0].tolist() == [
        0,
        1,
        -1,
        -1,
    ]


def test_categories_that_are_numbers_serve_for_numbers():
    found = match(
        dataset([Attribute("len", "nominal", ("4", "1e1", "x")), MODEL.attributes[1]], [1, 0, -1], [0, 0, 0]),
        MODEL,
    )
    np.testing.assert_array_equal(found.columns[0], [10.0, 4.0, np.nan])


def test_a_column_of_unknowns_has_no_type_of_its_own():
    found = match(
        dataset([Attribute("len", "string"), Attribute("soil")], np.array([None], object), [np.nan]), MODEL
    )
    assert np.isnan(found.columns[0]).tolist() == [True]
    assert found.columns[1].tolist() == [-1]


def test_another_type_is_refused():
    soil = MODEL.attributes[1]
    with pytest.raises(DataError, match="'soil' is numeric here, but nominal in the model"):
        match(dataset([Attribute("len"), Attribute("soil")], [1.0], [1.0]), MODEL)
    with pytest.raises(DataError, match="'len' is date here, but numeric in the model"):
        match(dataset([Attribute("len", "date", date_format="yyyy"), soil], [1.0], [0]), MODEL)
    with pytest.raises(DataError, match="'len' is string here, but numeric in the model"):
        match(dataset([Attribute("len", "string"), soil], np.array(["1"], object), [0]), MODEL)


def test_missing_and_unfit_attributes_are_named():
    with pytest.raises(DataError, match="'soil' is missing"):
        match(dataset([Attribute("len")], [1.0]), MODEL)
    with pytest.raises(DataError, match="'len' is nominal here, but numeric in the model"):
        match(dataset([Attribute("len", "nominal", ("x",)), MODEL.attributes[1]], [0], [0]), MODEL)
