"""The printed tree, letter by letter."""

import pytest
from build_trees import Leaf, Test, deep_tree, tree

from treeforge.data import Attribute, Schema
from treeforge.errors import ModelError
from treeforge.export.text import to_text

SCHEMA = Schema(
    (
        Attribute("age"),
        Attribute("colour", "nominal", ("red", "green", "blue")),
        Attribute("class", "nominal", ("no", "yes")),
    ),
    2,
)


def lines(top, schema=SCHEMA, exact=False, **metadata):
    return to_text(tree(top, **metadata), schema, exact=exact).splitlines()


def test_weather_numeric_reads_as_weka_prints_it():
    schema = Schema(
        (
            Attribute("outlook", "nominal", ("sunny", "overcast", "rainy")),
            Attribute("humidity"),
            Attribute("windy", "nominal", ("TRUE", "FALSE")),
            Attribute("play", "nominal", ("yes", "no")),
        ),
        3,
    )
    sunny = Test(1, [Leaf([2, 0]), Leaf([0, 3])], cuts=[75.0])
    rainy = Test(2, [Leaf([0, 2]), Leaf([3, 0])])
    assert lines(Test(0, [sunny, Leaf([4, 0]), rainy]), schema) == [
        "outlook = sunny",
        "|   humidity <= 75: yes (2.0)",
        "|   humidity > 75: no (3.0)",
        "outlook = overcast: yes (4.0)",
        "outlook = rainy",
        "|   windy = TRUE: no (2.0)",
        "|   windy = FALSE: yes (3.0)",
    ]


def test_single_leaf_has_a_colon_first():
    assert lines(Leaf([312.0, 228.0])) == [": no (540.0/228.0)"]


def test_weights_have_two_decimals_and_errors_only_when_there_are_some():
    assert lines(Test(0, [Leaf([0.4, 0.6066]), Leaf([2.004, 0])], cuts=[3.0])) == [
        "age <= 3: yes (1.01/0.4)",
        "age > 3: no (2.0)",
    ]


def test_empty_leaf_takes_its_class_from_the_node_above():
    assert lines(Test(1, [Leaf([0, 3]), Leaf([0, 0]), Leaf([4, 0])])) == [
        "colour = red: yes (3.0)",
        "colour = green: no (0.0)",
        "colour = blue: no (4.0)",
    ]


def test_threshold_is_rounded_half_up_to_six_decimals():
    both = [Leaf([1, 0]), Leaf([0, 1])]
    assert lines(Test(0, both, cuts=[0.33333350000000001]))[0] == "age <= 0.333334: no (1.0)"
    assert lines(Test(0, both, cuts=[3.25e-6]))[0] == "age <= 0.000003: no (1.0)"
    assert lines(Test(0, both, cuts=[3.25e-6]), exact=True)[0] == "age <= 3.25e-06: no (1.0)"
    assert lines(Test(0, both, cuts=[-1e-9]))[0] == "age <= -0: no (1.0)"
    assert lines(Test(0, both, cuts=[10000000000000002.0]))[0] == "age <= 10000000000000002: no (1.0)"


def test_binary_option_writes_the_rest_with_an_unequal_sign_and_java_doubles():
    two = Schema((Attribute("age"), Attribute("sex", "nominal", ("m", "f")), *SCHEMA.attributes[1:]), 3)
    both = [Leaf([1, 0]), Leaf([0, 1])]
    assert lines(Test(1, both, branch_of=[1, 0]), two, binary=True) == [
        "sex = f: no (1.0)",
        "sex != f: yes (1.0)",
    ]
    assert lines(Test(2, both, branch_of=[1, 0, 1]), two, binary=True)[1] == "colour != green: yes (1.0)"
    assert lines(Test(0, both, cuts=[2.0]), two, binary=True)[0] == "age <= 2.0: no (1.0)"


def test_groups_of_categories():
    both = [Leaf([1, 0]), Leaf([0, 1])]
    assert lines(Test(1, both, branch_of=[0, 1, 1])) == ["colour = red: no (1.0)", "colour != red: yes (1.0)"]
    four = Schema((Attribute("c", "nominal", ("a", "b", "c", "d")), SCHEMA.attributes[2]), 1)
    assert lines(Test(0, both, branch_of=[0, 1, 1, 0]), four) == [
        "c in {a, d}: no (1.0)",
        "c in {b, c}: yes (1.0)",
    ]


def test_several_cuts_closed_on_the_left():
    leaves = [Leaf([1, 0]), Leaf([0, 1]), Leaf([1, 0])]
    assert lines(Test(0, leaves, cuts=[1.5, 4.0], closed_left=True)) == [
        "age < 1.5: no (1.0)",
        "1.5 <= age < 4: yes (1.0)",
        "age >= 4: no (1.0)",
    ]
    assert lines(Test(0, leaves, cuts=[1.5, 4.0]))[1] == "1.5 < age <= 4: yes (1.0)"


def test_union_of_intervals():
    both = [Leaf([1, 0]), Leaf([0, 1])]
    assert lines(Test(0, both, cuts=[31.5, 48.0], branch_of=[0, 1, 0])) == [
        "age in (-inf, 31.5] or (48, inf): no (1.0)",
        "31.5 < age <= 48: yes (1.0)",
    ]
    assert lines(Test(0, both, cuts=[1, 2, 3, 4.0], branch_of=[1, 0, 0, 1, 0], closed_left=True)) == [
        "age in [1, 3) or [4, inf): no (1.0)",
        "age in (-inf, 1) or [3, 4): yes (1.0)",
    ]


def test_ten_thousand_levels():
    text = to_text(deep_tree(10_000), SCHEMA)
    assert text.count("\n") == 20_000
    assert "|   ...(9999) age <= 9999.5: yes (1.0)" in text


def test_bare_tree_needs_a_schema():
    with pytest.raises(ModelError, match="schema"):
        to_text(tree(Leaf([1, 0])))
