/* Files of responses in 256 folders, named by a hash of the address. As in the library's store, the
 * body is renamed first, and nothing is synchronised to the disk. */
#include "store.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* FNV-1a. */
static uint64_t hash(const char *text) {
  uint64_t value = 0xcbf29ce484222325;
  for (; *text; text++) value = (value ^ (unsigned char)*text) * 0x100000001b3;
  return value;
}

/* Writes a temporary file and renames it to `path`. */
static int write_file(const char *path, const void *bytes, size_t count) {
  char temporary[4096];
  snprintf(temporary, sizeof temporary, "%s.tmp", path);
  int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return 0;
  int written = write(file, bytes, count) == (ssize_t)count;
  written = close(file) == 0 && written && rename(temporary, path) == 0;
  if (!written) unlink(temporary);
  return written;
}

int store(const char *folder, const char *address, const Bytes *headers, const Bytes *body) {
  char path[4000], metadata[16384];
  unsigned long long name = hash(address);
  snprintf(path, sizeof path, "%s/%02llx", folder, name >> 56);
  mkdir(path, 0700);
  snprintf(path, sizeof path, "%s/%02llx/%016llx.body", folder, name >> 56, name);
  if (!write_file(path, body->bytes, body->count)) return 0;
  snprintf(path, sizeof path, "%s/%02llx/%016llx.metadata", folder, name >> 56, name);
  int count = snprintf(
      metadata, sizeof metadata, "%s %zu\n%.*s", address, body->count, (int)headers->count, headers->bytes);
  return count < (int)sizeof metadata && write_file(path, metadata, (size_t)count);
}
