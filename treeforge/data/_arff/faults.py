"""What a scan can find wrong: names in the order of the numbers in faults.pxd. The words are in arff.py."""

FAULTS = (
    "",
    "unclosed",
    "glued",
    "short",
    "surplus",
    "undeclared",
    "no number",
    "no weight",
    "no index",
    "far index",
    "index order",
    "omitted",
    "no brace",
    "no value",
)
