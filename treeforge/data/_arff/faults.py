"""What can be wrong with an ARFF file, and what its reader is told.

The names stand in the order of the numbers in faults.pxd; those that no scan finds come last.
"""

from treeforge.data.stream import NOT_UTF8

NOT_UTF8_ARFF = f"{NOT_UTF8}; or declare it in the first line, '% coding: latin-1'"

MESSAGES = {
    "unclosed": "the quote is never closed on this line",
    "glued": "a quote and a word without a delimiter between them: put the whole value in quotes",
    "short": "the row has less than {n} values: '{name}' is missing",
    "surplus": "the row should end here: it has {n} values, and {found} follows",
    "undeclared": "{found} is no category of '{name}'",
    "no number": "a number was expected for '{name}', not {found}",
    "no weight": "a weight, a number not below 0, was expected, not {found}",
    "no index": "an attribute's number and a blank were expected, not {found}",
    "far index": "attributes are numbered from 0 to {last}: there is no {found}",
    "index order": "the attributes' numbers have to ascend: {found} comes too late or twice",
    "omitted": "a sparse row cannot omit '{name}': a text has no zero, and no category is the first of none",
    "no brace": "a closing brace was expected, not {found}",
    "no value": "a value was expected for '{name}', not {found}",
    "not utf-8": NOT_UTF8_ARFF,
    "endless": "a line has no end within a gigabyte: this is no ARFF file",
}
#: the name of each number
FAULTS = ("", *MESSAGES)
