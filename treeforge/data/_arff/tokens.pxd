"""Classes of bytes, and the tokens that they make."""

from libc.stdint cimport uint8_t

cdef extern from "bytes.h" nogil:
    enum:
        DELIMITER "TF_DELIMITER"
        LINE_END "TF_LINE_END"
        QUOTE "TF_QUOTE"
        MARK "TF_MARK"              # %, { or }
    const uint8_t[256] CLASS "tf_class"

cdef struct Token:
    const char* start           # quotes included
    const char* stop
    char quote                  # 0 for a word or a brace
    bint escaped                # holds a backslash inside its quotes
    int fault


cdef inline int kind_of(const char* p) noexcept nogil:
    return CLASS[<uint8_t>p[0]]


cdef inline const char* skip_delimiters(const char* p) noexcept nogil:
    while kind_of(p) == DELIMITER:
        p += 1
    return p


cdef inline const char* skip_line(const char* p) noexcept nogil:
    """Behind the next line end."""
    while kind_of(p) != LINE_END:
        p += 1
    return p + 2 if p[0] == c"\r" and p[1] == c"\n" else p + 1


cdef const char* read_token(const char* p, Token* token) noexcept nogil
cdef bint is_plain(const char* text, Py_ssize_t length) noexcept
