/* Big pages, where the system has them on request. */
#ifndef TREEFORGE_PAGES_H
#define TREEFORGE_PAGES_H

#include <stdint.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

/* realloc, on big pages where the system has them on request: touching memory first is a quarter of the reading
 * time otherwise. free() takes it back. */
static inline void *tf_reserve(void *memory, size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const size_t big = (size_t)2 << 20;
    if (size >= big / 2) {
        size = (size + big - 1) / big * big;
        memory = memory ? realloc(memory, size) : aligned_alloc(big, size);
        if (memory) {
            char *start = (char *)(((uintptr_t)memory + big - 1) / big * big), *stop = (char *)memory + size;
            if (start < stop) madvise(start, (size_t)(stop - start) / big * big, MADV_HUGEPAGE);
        }
        return memory;
    }
#endif
    return realloc(memory, size);
}

#endif
