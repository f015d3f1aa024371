"""The table of words is made, and searched for words of any length."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc

from treeforge.data._arff.bytes cimport ALL, load
from treeforge.data._arff.tokens cimport is_plain


cdef uint64_t hash_word(const char* text, Py_ssize_t length, uint64_t* head) noexcept nogil:
    """Hash of a word of any length, behind which eight bytes can be read; its head is its first eight bytes."""
    cdef uint64_t hashed
    cdef Py_ssize_t i = 8
    head[0] = load(text) & ALL >> (64 - 8 * min(length, 8)) if length else 0
    hashed = mix(head[0], length)
    while i < length:                       # the last eight bytes may overlap those before
        hashed = mix(hashed ^ hashed >> 32 ^ load(text + min(i, length - 8)), length)
        i += 8
    return hashed


cdef const Word* find_word(const Words* words, const char* text, Py_ssize_t length) noexcept nogil:
    cdef uint64_t head
    cdef uint64_t hashed = hash_word(text, length, &head)
    return look_up(words, hashed, head, text, length)


cdef int declare_words(Words* words, list categories, list kept) except -1:
    """The table of the categories, as bytes; its words point into what is appended to kept."""
    cdef Py_ssize_t i, n_places = 8
    cdef int bits = 3
    cdef bytes category, padded
    cdef Word word
    cdef uint64_t place
    while n_places < 4 * len(categories):
        n_places *= 2
        bits += 1
    words.shift = 64 - bits
    words.places = <Word*>calloc(n_places, sizeof(Word))
    if words.places == NULL:
        raise MemoryError
    for i in range(n_places):
        words.places[i].length = -1
    for i, category in enumerate(categories):
        padded = category + b"\0\0\0\0\0\0\0\0"
        kept.append(padded)
        word.text = padded
        word.length = len(category)
        word.code = <int32_t>i
        word.plain = is_plain(word.text, word.length)
        place = hash_word(word.text, word.length, &word.head) >> words.shift
        while words.places[place].length >= 0:
            place = (place + 1) % <uint64_t>n_places
        words.places[place] = word
    return 0
