"""The declared categories of a nominal attribute: a hash table of words."""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcmp

cdef struct Word:
    uint64_t head               # the first eight bytes, zeros behind a shorter word
    const char* text
    Py_ssize_t length           # -1: an empty place in the table
    int32_t code
    bint plain                  # may stand without quotes

cdef struct Words:
    Word* places                # open addressing, [2 ^ (64 - shift)]
    int shift


cdef inline uint64_t mix(uint64_t head, Py_ssize_t length) noexcept nogil:
    return (head ^ <uint64_t>length << 56) * <uint64_t>0x9E3779B97F4A7C15


cdef inline const Word* look_up(const Words* words, uint64_t hashed, uint64_t head, const char* text,
                                Py_ssize_t length) noexcept nogil:
    """The declared word of these bytes, or NULL."""
    cdef uint64_t last = ((<uint64_t>1) << (64 - words.shift)) - 1
    cdef uint64_t i = hashed >> words.shift
    cdef const Word* word
    while True:
        word = &words.places[i]
        if word.head == head and word.length == length and (length <= 8 or memcmp(word.text, text, length) == 0):
            return word
        if word.length < 0:
            return NULL
        i = (i + 1) & last


cdef const Word* find_word(const Words* words, const char* text, Py_ssize_t length) noexcept nogil
cdef int declare_words(Words* words, list categories, list kept) except -1
