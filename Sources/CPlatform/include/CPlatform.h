// What Swift's Glibc module lacks on Linux.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include "isolation.h"

/// Names the calling thread as tools such as `top -H` show it. At most 15 bytes are kept.
void platform_set_thread_name(const char *name);

/// Lowers the scheduling priority of the calling thread alone (Linux: a thread has its own nice
/// value). 0 is unchanged, 19 the lowest. A failure is ignored: it costs smoothness, not
/// correctness.
void platform_set_thread_nice(int nice);

/// The name under which the program was started, without its folder. Lives as long as the process.
const char *platform_program_name(void);

/// Whether the calling thread is the one that the process began with.
int platform_is_main_thread(void);

/// Whether the program or library that this is part of was loaded on the thread that the process
/// began with.
int platform_was_loaded_on_main_thread(void);

/// Notes that this process, from now on, has threads of ours. A child that it forks has none of
/// them, but may have the locks that they held.
void platform_note_use(void);

/// Whether this process was forked from one that has threads of ours. Takes no lock.
int platform_was_forked(void);

/// Why a forked process cannot use what its parent used.
extern const char *const platform_forked_message;

/// Says the message on standard error by `write` alone: in such a process a lock of GLib, of Swift
/// or of the dynamic linker may be held by a thread that is not there (signal-safety(7)).
void platform_say_forked(void);

/// Tells gettext in which folder the translations of a domain are; they are given as UTF-8.
void platform_bind_translations(const char *domain, const char *folder);
