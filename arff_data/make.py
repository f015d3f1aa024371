#!/usr/bin/env python3
"""Make the small data sets of this folder: ``python arff_data/make.py [FOLDER]``.

Facts are typed in here, lie in ``raw/``, or come with scikit-learn; see README.md for sources and licences.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

import numpy as np

from treeforge.data import Attribute, Dataset, Schema, write_arff

HERE = Path(__file__).resolve().parent
Declaration = tuple[str, Sequence[str]]  # a name, and its categories; none for a number
NUMBER: tuple[str, ...] = ()

WEATHER = """\
sunny 85 85 FALSE no / sunny 80 90 TRUE no / overcast 83 86 FALSE yes / rainy 70 96 FALSE yes / rainy 68 80 FALSE yes
rainy 65 70 TRUE no / overcast 64 65 TRUE yes / sunny 72 95 FALSE no / sunny 69 70 FALSE yes / rainy 75 80 FALSE yes
sunny 75 70 TRUE yes / overcast 72 90 TRUE yes / overcast 81 75 FALSE yes / rainy 71 91 TRUE no"""

# 24 patients: every combination of age, prescription, astigmatism and tears, in this order; s soft, h hard, n none
LENSES = "nsnhnsnh nsnhnsnn nnnhnsnn"

WATERMELON = """\
green curled muffled clear sunken hard 0.697 0.460 yes
dark curled dull clear sunken hard 0.774 0.376 yes
dark curled muffled clear sunken hard 0.634 0.264 yes
green curled dull clear sunken hard 0.608 0.318 yes
light curled muffled clear sunken hard 0.556 0.215 yes
green slightly-curled muffled clear slightly-sunken soft 0.403 0.237 yes
dark slightly-curled muffled slightly-blurry slightly-sunken soft 0.481 0.149 yes
dark slightly-curled muffled clear slightly-sunken hard 0.437 0.211 yes
dark slightly-curled dull slightly-blurry slightly-sunken hard 0.666 0.091 no
green stiff crisp clear flat soft 0.243 0.267 no
light stiff crisp blurry flat hard 0.245 0.057 no
light curled muffled blurry flat soft 0.343 0.099 no
green slightly-curled muffled slightly-blurry sunken hard 0.639 0.161 no
light slightly-curled dull slightly-blurry sunken hard 0.657 0.198 no
dark slightly-curled muffled clear slightly-sunken soft 0.360 0.370 no
light curled muffled blurry flat hard 0.593 0.042 no
green curled dull slightly-blurry slightly-sunken hard 0.719 0.103 no"""

NO_YES, YES_NO = ("no", "yes"), ("yes", "no")

LABOR: dict[str, Sequence[str]] = {
    "cost-of-living-adjustment": ("none", "tcf", "tc"),
    "pension": ("none", "ret_allw", "empl_contr"),
    "education-allowance": YES_NO,
    "vacation": ("below_average", "average", "generous"),
    "longterm-disability-assistance": YES_NO,
    "contribution-to-dental-plan": ("none", "half", "full"),
    "bereavement-assistance": YES_NO,
    "contribution-to-health-plan": ("none", "half", "full"),
    "class": ("bad", "good"),
}


def table(relation: str, declarations: Iterable[Declaration], rows: Iterable[Sequence[str]]) -> Dataset:
    """A dataset of rows of words; ``?`` is unknown, the last attribute is the class."""
    attributes = tuple(
        Attribute(name, "nominal", tuple(words)) if words else Attribute(name) for name, words in declarations
    )
    columns = []
    for attribute, words in zip(attributes, zip(*rows, strict=True), strict=True):
        if attribute.is_nominal:
            assert all(word == "?" or attribute.code(word) >= 0 for word in words), attribute.name
            columns.append(np.array([attribute.code(word) for word in words], dtype=np.int32))
        else:
            columns.append(np.array([float("nan" if word == "?" else word) for word in words]))
    return Dataset(Schema(attributes, len(attributes) - 1, relation), tuple(columns))


def weather() -> Dataset:
    rows = [row.split() for row in WEATHER.replace("\n", " / ").split(" / ")]
    outlook: Declaration = ("outlook", ("sunny", "overcast", "rainy"))
    windy: Declaration = ("windy", ("TRUE", "FALSE"))
    return table(
        "weather", [outlook, ("temperature", NUMBER), ("humidity", NUMBER), windy, ("play", YES_NO)], rows
    )


def weather_nominal() -> Dataset:
    """The same days; temperature above 79 is hot, below 70 cool, humidity above 80 high."""
    rows = [row.split() for row in WEATHER.replace("\n", " / ").split(" / ")]
    for row in rows:
        row[1] = "hot" if int(row[1]) > 79 else "cool" if int(row[1]) < 70 else "mild"
        row[2] = "high" if int(row[2]) > 80 else "normal"
    declarations: list[Declaration] = [
        ("outlook", ("sunny", "overcast", "rainy")),
        ("temperature", ("hot", "mild", "cool")),
        ("humidity", ("high", "normal")),
        ("windy", ("TRUE", "FALSE")),
        ("play", YES_NO),
    ]
    return table("weather-nominal", declarations, rows)


def contact_lenses() -> Dataset:
    inputs: list[Declaration] = [
        ("age", ("young", "pre-presbyopic", "presbyopic")),
        ("spectacle-prescrip", ("myope", "hypermetrope")),
        ("astigmatism", NO_YES),
        ("tear-prod-rate", ("reduced", "normal")),
    ]
    lenses = ("soft", "hard", "none")
    verdicts = [next(lens for lens in lenses if lens[0] == letter) for letter in LENSES.replace(" ", "")]
    patients = product(*(words for _, words in inputs))
    rows = [[*patient, verdict] for patient, verdict in zip(patients, verdicts, strict=True)]
    return table("contact-lenses", [*inputs, ("contact-lenses", lenses)], rows)


def watermelon() -> Dataset:
    declarations: list[Declaration] = [
        ("color", ("green", "dark", "light")),
        ("root", ("curled", "slightly-curled", "stiff")),
        ("sound", ("muffled", "dull", "crisp")),
        ("texture", ("clear", "slightly-blurry", "blurry")),
        ("umbilicus", ("sunken", "slightly-sunken", "flat")),
        ("surface", ("hard", "soft")),
        ("density", NUMBER),
        ("sugar", NUMBER),
        ("ripe", YES_NO),
    ]
    return table("watermelon", declarations, [line.split() for line in WATERMELON.splitlines()])


def raw(name: str, nominal: dict[str, Sequence[str]], otherwise: Sequence[str] = NUMBER) -> Dataset:
    """A file of ``raw/``: its first line has the names."""
    with (HERE / "raw" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    return table(name, [(attribute, nominal.get(attribute, otherwise)) for attribute in names], rows)


def vote() -> Dataset:
    return raw("vote", {"Class": ("democrat", "republican")}, otherwise=("n", "y"))


def hepatitis() -> Dataset:
    numbers = dict.fromkeys(("AGE", "BILIRUBIN", "ALK_PHOSPHATE", "SGOT", "ALBUMIN", "PROTIME"), NUMBER)
    return raw(
        "hepatitis", {**numbers, "SEX": ("male", "female"), "Class": ("DIE", "LIVE")}, otherwise=NO_YES
    )


def from_sklearn(
    relation: str, names: Sequence[str] | None = None, classes: Sequence[str] | None = None
) -> Dataset:
    """A data set that scikit-learn ships; under its names, unless others are given."""
    from sklearn import datasets

    load = {"iris": datasets.load_iris, "wine": datasets.load_wine, "wdbc": datasets.load_breast_cancer}
    bunch = load[relation]()
    values = bunch.data.copy()
    if relation == "iris":
        # scikit-learn follows Fisher's paper; UCI's copy, which all published figures use, differs in two plants
        values[[34, 37]] = [[4.9, 3.1, 1.5, 0.1], [4.9, 3.1, 1.5, 0.1]]
    attributes = [Attribute(str(name)) for name in names or bunch.feature_names]
    attributes.append(Attribute("class", "nominal", tuple(classes or map(str, bunch.target_names))))
    schema = Schema(tuple(attributes), len(attributes) - 1, relation)
    return Dataset(schema, (*values.T, bunch.target.astype(np.int32)))


def iris() -> Dataset:
    names = ("sepallength", "sepalwidth", "petallength", "petalwidth")
    return from_sklearn("iris", names, ("Iris-setosa", "Iris-versicolor", "Iris-virginica"))


#: file -> how it is made, and where the facts are from
SETS = {
    "contact-lenses": (contact_lenses, "J. Cendrowska, PRISM (1987); UCI data set 58, CC BY 4.0"),
    "hepatitis": (hepatitis, "UCI data set 46, CC BY 4.0"),
    "iris": (iris, "R. A. Fisher (1936); UCI data set 53, CC BY 4.0"),
    "labor": (lambda: raw("labor", LABOR), "UCI data set 56 (Labor Relations), CC BY 4.0"),
    "vote": (vote, "UCI data set 105 (Congressional Voting Records 1984), CC BY 4.0"),
    "watermelon": (watermelon, "Zhou Zhihua, Machine Learning (2016), table 4.3, names translated"),
    "wdbc": (
        lambda: from_sklearn("wdbc"),
        "UCI data set 17 (Breast Cancer Wisconsin, Diagnostic), CC BY 4.0",
    ),
    "weather": (weather, "J. R. Quinlan, C4.5 (1993), table 2.1 in the form of Weka"),
    "weather-nominal": (weather_nominal, "J. R. Quinlan, Induction of decision trees (1986), table 1"),
    "wine": (lambda: from_sklearn("wine"), "UCI data set 109, CC BY 4.0"),
}


def main(folder: Path) -> None:
    for name, (make, source) in SETS.items():
        write_arff(make(), folder / f"{name}.arff", remarks=[f"{name}; source: {source}", "made by make.py"])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
