/* The store of the C rivals: the same files as those of the library's disk store. */
#pragma once
#include <stddef.h>

typedef struct {
  unsigned char *bytes;
  size_t count, room;
} Bytes;

/* Writes a body file and a metadata file, which contains the address and the headers, below
 * `folder`. Each is written to a temporary name and renamed. Returns false on failure. */
int store(const char *folder, const char *address, const Bytes *headers, const Bytes *body);
