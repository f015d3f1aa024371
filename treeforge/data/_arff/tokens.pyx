"""Tokens one by one, those of a line of the header, and what has to be quoted."""

from treeforge.data._arff.faults cimport GLUED, UNCLOSED

from treeforge.data._arff.faults import FAULTS


cdef const char* read_token(const char* p, Token* token) noexcept nogil:
    """The token that starts at p, which is neither a delimiter nor a line end nor a remark. Returns what follows it."""
    token.start = p
    token.quote = 0
    token.escaped = False
    token.fault = 0
    if kind_of(p) == QUOTE:
        token.quote = p[0]
        p += 1
        while p[0] != token.quote:
            if p[0] == c"\\":
                token.escaped = True
                p += 1
            if kind_of(p) == LINE_END:
                token.fault = UNCLOSED
                token.stop = p
                return p
            p += 1
        p += 1
        if kind_of(p) == 0 or kind_of(p) == QUOTE:
            token.fault = GLUED
    elif kind_of(p) == MARK:
        p += 1
    else:
        while kind_of(p) == 0:
            p += 1
        if kind_of(p) == QUOTE:
            token.fault = GLUED
    token.stop = p
    return p


def tokens(bytes line):
    """Split a line of the header.

    Returns
    -------
    list of (bytes, bool, int)
        Each token as it stands in the file, whether it is quoted, and at which byte it starts. A remark is left out.

    Raises
    ------
    ValueError
        With a word of FAULTS and the byte at which it was found.
    """
    cdef bytes padded = line + b"\n"
    cdef const char* start = padded
    cdef const char* p = start
    cdef Token token
    found = []
    while True:
        p = skip_delimiters(p)
        if kind_of(p) == LINE_END or p[0] == c"%":
            return found
        p = read_token(p, &token)
        if token.fault:
            raise ValueError(FAULTS[token.fault], token.start - start)
        found.append((token.start[:token.stop - token.start], token.quote != 0, token.start - start))


cdef bint is_plain(const char* text, Py_ssize_t length) noexcept:
    """Whether a word means itself without quotes."""
    cdef Py_ssize_t i
    for i in range(length):
        if kind_of(text + i):
            return False
    return length > 0 and not (length == 1 and text[0] == c"?")


def needs_quotes(bytes text):
    """Whether a text must stand in quotes."""
    return not is_plain(text, len(text)) or text[0] == c"@"
