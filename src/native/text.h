/* Memory that is used without Python's lock: a growing text, an arena, and one hash. */

#ifndef TRIALYST_TEXT_H
#define TRIALYST_TEXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { OK = 0, FAILED = -1 };

/* FAILED always means that memory is out, unless a Python error is set. */

typedef struct {
    const char *at;
    size_t size;
} Span;

typedef struct {
    char *data;
    size_t size;
    size_t room;
} Text;

static inline int
text_reserve(Text *text, size_t size)
{
    if (text->size + size > text->room) {
        size_t room = text->room ? text->room : 256;
        while (room < text->size + size) {
            room *= 2;
        }
        char *grown = PyMem_RawRealloc(text->data, room);
        if (grown == NULL) {
            return FAILED;
        }
        text->data = grown;
        text->room = room;
    }
    return OK;
}

static inline int
text_add(Text *text, const char *data, size_t size)
{
    if (text_reserve(text, size) < 0) {
        return FAILED;
    }
    if (size) {
        memcpy(text->data + text->size, data, size);
        text->size += size;
    }
    return OK;
}

static inline int
text_add_zeros(Text *text, size_t size)
{
    if (text_reserve(text, size) < 0) {
        return FAILED;
    }
    memset(text->data + text->size, 0, size);
    text->size += size;
    return OK;
}

static inline void
text_free(Text *text)
{
    PyMem_RawFree(text->data);
    memset(text, 0, sizeof *text);
}

/* What is put into an arena stays where it is until all of it is let go. */

typedef struct Block {
    struct Block *before;
    size_t size;
    size_t room;
    char data[];
} Block;

typedef struct {
    Block *block;
} Arena;

static inline char *
arena_take(Arena *arena, size_t size)
{
    /* Whatever is put here may hold pointers. */
    size = (size + 7) & ~(size_t)7;
    Block *block = arena->block;
    if (block == NULL || block->room - block->size < size) {
        size_t room = size > (1u << 20) ? size : (1u << 20);
        Block *next = PyMem_RawMalloc(sizeof(Block) + room);
        if (next == NULL) {
            return NULL;
        }
        next->before = block;
        next->size = 0;
        next->room = room;
        arena->block = block = next;
    }
    char *taken = block->data + block->size;
    block->size += size;
    return taken;
}

static inline int
arena_copy(Arena *arena, const char *data, size_t size, Span *copy)
{
    char *taken = arena_take(arena, size);
    if (taken == NULL) {
        return FAILED;
    }
    if (size) {
        memcpy(taken, data, size);
    }
    *copy = (Span){taken, size};
    return OK;
}

/* Give an array of `count` items of this size a new place with room for `room`; NULL if none. */
static inline void *
arena_grow(Arena *arena, const void *items, int count, int room, size_t size)
{
    char *grown = arena_take(arena, (size_t)room * size);
    if (grown && count) {
        memcpy(grown, items, (size_t)count * size);
    }
    return grown;
}

/* Let everything go but one block, to be used again. */
static inline void
arena_empty(Arena *arena)
{
    while (arena->block && arena->block->before) {
        Block *before = arena->block->before;
        PyMem_RawFree(arena->block);
        arena->block = before;
    }
    if (arena->block) {
        arena->block->size = 0;
    }
}

static inline void
arena_free(Arena *arena)
{
    arena_empty(arena);
    PyMem_RawFree(arena->block);
    arena->block = NULL;
}

static inline uint64_t
hash_bytes(const char *data, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u ^ size;
    while (size >= 8) {
        uint64_t word;
        memcpy(&word, data, 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
        data += 8;
        size -= 8;
    }
    if (size) {
        uint64_t word = 0;
        memcpy(&word, data, size);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash ^ (hash >> 32);
}

#endif
