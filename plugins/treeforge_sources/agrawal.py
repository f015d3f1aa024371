"""The loan applicants of Agrawal, Imielinski and Swami: SPRINT's own workload, known as Quest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Attribute
from treeforge_sources.generator import BLOCK, Generator, check_share, codes, integers, numbered

Column = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: by age: below 40, below 60, others
_SALARY = ((50e3, 100e3), (75e3, 125e3), (25e3, 75e3))
_EDUCATION = ((0, 1), (1, 3), (2, 4))
_SALARY_IF_EDUCATED = ((25e3, 75e3), (50e3, 100e3), (50e3, 100e3))
_SALARY_IF_NOT = ((50e3, 100e3), (75e3, 125e3), (25e3, 75e3))
_LOAN_IF_PAID = ((100e3, 300e3), (200e3, 400e3), (300e3, 500e3))
_LOAN_IF_NOT = ((200e3, 400e3), (300e3, 500e3), (100e3, 300e3))


@dataclass(frozen=True)
class Agrawal(Generator):
    """Nine attributes of a person, and the group that one of ten functions puts the person into.

    The numbers are whole. The group is found before the values are perturbed.

    Parameters
    ----------
    rows : int
    function : int
        Which of the paper's ten functions, from 1.
    perturbation : float
        By how much of its range a number is shifted at most, to either side, half of it on each.

    References
    ----------
    R. Agrawal, T. Imielinski, A. Swami: Database Mining: A Performance Perspective. IEEE Transactions on
    Knowledge and Data Engineering 5(6), 1993, 914-925.
    """

    function: int = 1
    perturbation: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.function <= 10:
            raise ValueError(f"function is a number from 1 to 10, not {self.function}")
        check_share("perturbation", self.perturbation)

    def attributes(self) -> list[Attribute]:
        return [
            Attribute("salary"),
            Attribute("commission"),
            Attribute("age"),
            Attribute("elevel", "nominal", numbered(5)),
            Attribute("car", "nominal", numbered(20, 1)),
            Attribute("zipcode", "nominal", numbered(9)),
            Attribute("hvalue"),
            Attribute("hyears"),
            Attribute("loan"),
            Attribute("group", "nominal", ("A", "B")),
        ]

    def prepare(self, random: np.random.Generator) -> None:
        return None

    def draw(
        self, random: np.random.Generator, prepared: None
    ) -> list[NDArray[np.float64] | NDArray[np.int32]]:
        salary = integers(random, 20_000, 150_000)
        commission = np.where(salary >= 75_000, 0.0, integers(random, 10_000, 75_000))
        age = integers(random, 20, 80)
        elevel = integers(random, 0, 4)
        car = integers(random, 0, 19)
        zipcode = integers(random, 0, 8)
        hvalue = np.floor(
            (9 - zipcode) * 100_000 * (0.5 + random.random(BLOCK))
        )  # dear where the code is low
        hyears = integers(random, 1, 30)
        loan = integers(random, 0, 500_000)
        income = salary + commission
        group = _FUNCTIONS[self.function - 1](salary, income, age, elevel, hvalue, hyears, loan)
        shifted = {
            "salary": self._shift(random, salary, 20_000, 150_000),
            "commission": np.where(commission > 0, self._shift(random, commission, 10_000, 75_000), 0.0),
            "age": self._shift(random, age, 20, 80),
            "hvalue": self._shift(random, hvalue, 50_000, 1_350_000),
            "hyears": self._shift(random, hyears, 1, 30),
            "loan": self._shift(random, loan, 0, 500_000),
        }
        return [
            *(shifted[name] for name in ("salary", "commission", "age")),
            *map(codes, (elevel, car, zipcode)),
            *(shifted[name] for name in ("hvalue", "hyears", "loan")),
            codes(~group),
        ]

    def _shift(self, random: np.random.Generator, values: Column, low: int, high: int) -> Column:
        """The paper's v + r * perturbation * range, r from -0.5 to 0.5; kept within the range."""
        shift = (random.random(BLOCK) - 0.5) * self.perturbation * (high - low)
        return np.clip(np.rint(values + shift), low, high)


def _between(values: Column, age: Column, bounds: tuple[tuple[float, float], ...]) -> Flags:
    """Whether a value lies within the bounds of the person's age."""
    low, high = np.array(bounds)[np.digitize(age, (40, 60))].T
    within: Flags = (low <= values) & (values <= high)
    return within


def _function_1(salary: Column, income: Column, age: Column, *rest: Column) -> Flags:
    return (age < 40) | (age >= 60)


def _function_2(salary: Column, income: Column, age: Column, *rest: Column) -> Flags:
    return _between(salary, age, _SALARY)


def _function_3(salary: Column, income: Column, age: Column, elevel: Column, *rest: Column) -> Flags:
    return _between(elevel, age, _EDUCATION)


def _function_4(salary: Column, income: Column, age: Column, elevel: Column, *rest: Column) -> Flags:
    educated = _between(elevel, age, _EDUCATION)
    return np.where(
        educated, _between(salary, age, _SALARY_IF_EDUCATED), _between(salary, age, _SALARY_IF_NOT)
    )


def _function_5(salary: Column, income: Column, age: Column, *rest: Column) -> Flags:
    loan = rest[-1]
    paid = _between(salary, age, _SALARY)
    return np.where(paid, _between(loan, age, _LOAN_IF_PAID), _between(loan, age, _LOAN_IF_NOT))


def _function_6(salary: Column, income: Column, age: Column, *rest: Column) -> Flags:
    return _between(income, age, _SALARY)


def _function_7(salary: Column, income: Column, age: Column, *rest: Column) -> Flags:
    loan = rest[-1]
    return 0.67 * income - 0.2 * loan - 20e3 > 0


def _function_8(salary: Column, income: Column, age: Column, elevel: Column, *rest: Column) -> Flags:
    return 0.67 * income - 5e3 * elevel - 20e3 > 0


def _function_9(salary: Column, income: Column, age: Column, elevel: Column, *rest: Column) -> Flags:
    loan = rest[-1]
    return 0.67 * income - 5e3 * elevel - 0.2 * loan - 10e3 > 0


def _function_10(
    salary: Column, income: Column, age: Column, elevel: Column, hvalue: Column, hyears: Column, loan: Column
) -> Flags:
    equity = 0.1 * hvalue * np.maximum(hyears - 20, 0)
    return 0.67 * income - 5e3 * elevel + 0.2 * equity - 10e3 > 0


_FUNCTIONS = (
    _function_1,
    _function_2,
    _function_3,
    _function_4,
    _function_5,
    _function_6,
    _function_7,
    _function_8,
    _function_9,
    _function_10,
)
