"""Generators: seeded, of any length, and true to the papers that they come from."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from treeforge_sources import Agrawal, Led, RandomRbf, RandomTree, Waveform
from treeforge_sources.generator import BLOCK, Generator

from treeforge.data import Dataset

SOURCES: list[type[Generator]] = [Agrawal, Led, RandomRbf, RandomTree, Waveform]


def made(source: Generator, seed: int = 1) -> Dataset:
    return Dataset.concatenate(source.blocks(seed))


@pytest.mark.parametrize("cls", SOURCES)
@pytest.mark.parametrize("rows", [0, 1, BLOCK, BLOCK + 1])
def test_there_are_as_many_rows_as_asked_for(cls: type[Generator], rows: int) -> None:
    assert made(cls(rows=rows)).n_rows == rows


@pytest.mark.parametrize("cls", SOURCES)
def test_first_rows_do_not_depend_on_their_number(cls: type[Generator]) -> None:
    few, many = made(cls(rows=100)), made(cls(rows=BLOCK + 100))
    assert few.content_hash == many.take(np.arange(100)).content_hash


@pytest.mark.parametrize("cls", SOURCES)
def test_a_seed_gives_the_same_rows_again_and_another_seed_others(cls: type[Generator]) -> None:
    hashes = [made(cls(rows=50), seed).content_hash for seed in (1, 1, 2)]
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.parametrize("cls", SOURCES)
def test_blocks_come_one_by_one(cls: type[Generator]) -> None:
    blocks = islice(cls(rows=10**12).blocks(1), 2)
    assert [block.n_rows for block in blocks] == [BLOCK, BLOCK]


@pytest.mark.parametrize("function", range(1, 11))
def test_agrawal_puts_each_person_into_the_group_that_the_paper_says(function: int) -> None:
    people = made(Agrawal(rows=2000, function=function, perturbation=0.0))
    names = [attribute.name for attribute in people.schema.inputs]
    for row in zip(*(column.tolist() for column in people.columns), strict=True):
        person = dict(zip(names, row[:-1], strict=True))
        assert (row[-1] == 0) == in_group_a(function, person), person


def in_group_a(function: int, p: dict[str, float]) -> bool:
    """The paper's functions once more, written for one person."""
    age = 0 if p["age"] < 40 else 1 if p["age"] < 60 else 2
    paid = (50e3, 75e3, 25e3)[age] <= p["salary"] <= (100e3, 125e3, 75e3)[age]
    educated = (0, 1, 2)[age] <= p["elevel"] <= (1, 3, 4)[age]
    income = p["salary"] + p["commission"]
    equity = 0.1 * p["hvalue"] * max(p["hyears"] - 20, 0)
    if function == 4:
        low, high = (
            ((25e3, 50e3, 50e3), (75e3, 100e3, 100e3))
            if educated
            else ((50e3, 75e3, 25e3), (100e3, 125e3, 75e3))
        )
        return low[age] <= p["salary"] <= high[age]
    if function == 5:
        low, high = ((1e5, 2e5, 3e5), (3e5, 4e5, 5e5)) if paid else ((2e5, 3e5, 1e5), (4e5, 5e5, 3e5))
        return low[age] <= p["loan"] <= high[age]
    return {
        1: age != 1,
        2: paid,
        3: educated,
        6: (50e3, 75e3, 25e3)[age] <= income <= (100e3, 125e3, 75e3)[age],
        7: 0.67 * income - 0.2 * p["loan"] - 20e3 > 0,
        8: 0.67 * income - 5e3 * p["elevel"] - 20e3 > 0,
        9: 0.67 * income - 5e3 * p["elevel"] - 0.2 * p["loan"] - 10e3 > 0,
        10: 0.67 * income - 5e3 * p["elevel"] + 0.2 * equity - 10e3 > 0,
    }[function]


def test_agrawal_values_stay_in_their_ranges_when_perturbed() -> None:
    people = made(Agrawal(rows=5000, perturbation=1.0))
    ranges = {"salary": (20e3, 150e3), "age": (20, 80), "hyears": (1, 30), "loan": (0, 500e3)}
    for name, (low, high) in ranges.items():
        column = people.columns[people.schema.names[name]]
        assert low <= column.min() <= column.max() <= high


def test_led_lights_are_wrong_as_often_as_asked() -> None:
    clean, noisy = (made(Led(rows=BLOCK, noise=noise, irrelevant=0)) for noise in (0.0, 0.1))
    wrong = np.mean([c != n for c, n in zip(clean.columns[:-1], noisy.columns[:-1], strict=True)])
    assert 0.09 < wrong < 0.11
    shown = {tuple(column[i] for column in clean.columns) for i in range(clean.n_rows)}
    assert len(shown) == 10  # one pattern a digit


def test_waveform_classes_are_equally_frequent_and_their_means_are_mixed_waves() -> None:
    waves = made(Waveform(rows=BLOCK))
    values = np.column_stack(waves.columns[:-1])
    first = values[waves.class_codes == 0].mean(axis=0)
    np.testing.assert_allclose(first[[4, 10, 14]], [0.0, 4.0, 4.0], atol=0.2)
    assert np.bincount(waves.class_codes).min() > BLOCK / 3 - 200


def test_rows_of_several_seeds_come_from_one_random_tree() -> None:
    source = RandomTree(rows=500, seed_of_tree=7)
    tree = source.prepare(np.random.default_rng(1))
    assert tree == source.prepare(np.random.default_rng(2))
    for i, node in enumerate(tree):
        assert all(child > i for child in node.branches)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Agrawal(function=11),
        lambda: Agrawal(perturbation=2.0),
        lambda: Led(noise=-0.1),
        lambda: RandomRbf(centres=0),
        lambda: RandomTree(categories=1),
        lambda: Waveform(rows=-1),
    ],
)
def test_senseless_parameters_are_refused(make: object) -> None:
    with pytest.raises(ValueError, match="is a number"):
        make()  # type: ignore[operator]
