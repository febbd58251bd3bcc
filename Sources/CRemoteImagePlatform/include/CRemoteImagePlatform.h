// Functions of Linux that Swift's Glibc module lacks.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <malloc.h>
#include <pthread.h>
#include "isolation.h"

/// Names the calling thread as tools such as `top -H` show it. At most 15 bytes are kept.
void platform_set_thread_name(const char *name);

/// The name under which the program was started, without its folder. Lives as long as the process.
const char *platform_program_name(void);

/// Whether the calling thread is the main thread of the process.
int platform_is_main_thread(void);

/// Whether the program or library with this code was loaded on the main thread.
int platform_was_loaded_on_main_thread(void);

/// Records that this process has threads of the library from now on. A forked child has none of
/// these threads, but may have inherited locks that they held.
void platform_note_use(void);

/// Whether this process was forked from a process with threads of the library. Takes no lock.
int platform_was_forked(void);

/// The message that explains why a forked process cannot use the library.
extern const char *const platform_forked_message;

/// Writes the message to standard error with `writev` only: in a forked process, a lock of GLib,
/// Swift or the dynamic linker may be held by a thread that does not exist (signal-safety(7)).
void platform_say_forked(void);

/// Sets the folder of the translations of a gettext domain; gettext returns them as UTF-8.
void platform_bind_translations(const char *domain, const char *folder);
