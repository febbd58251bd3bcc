#define _GNU_SOURCE
#include <libintl.h>
#include "CRemoteImagePlatform.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

void platform_set_thread_name(const char *name) {
    char shortened[16] = {0};
    strncpy(shortened, name, sizeof shortened - 1);
    pthread_setname_np(pthread_self(), shortened);
}

const char *platform_program_name(void) {
    return program_invocation_short_name;
}

static atomic_bool was_forked;

static bool is_main_thread(void) {
    return syscall(SYS_gettid) == getpid();
}

// Views ask at each call of GTK, so each thread makes the system calls once. In the child of a
// fork, the thread that forked is the main thread.
int platform_is_main_thread(void) {
    static _Thread_local enum { UNKNOWN, MAIN, OTHER } kind = UNKNOWN;
    if (kind == UNKNOWN || atomic_load_explicit(&was_forked, memory_order_relaxed)) {
        kind = is_main_thread() ? MAIN : OTHER;
    }
    return kind == MAIN;
}

static int was_loaded_on_main_thread;

// Runs when the dynamic linker loads us, as libdispatch's own initialisation does.
__attribute__((constructor)) static void note_loading_thread(void) {
    was_loaded_on_main_thread = is_main_thread();
}

int platform_was_loaded_on_main_thread(void) {
    return was_loaded_on_main_thread;
}

static void note_fork(void) {
    atomic_store_explicit(&was_forked, true, memory_order_relaxed);
}

static void begin_noting_forks(void) {
    pthread_atfork(NULL, NULL, note_fork);
}

void platform_note_use(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin_noting_forks);
}

int platform_was_forked(void) {
    return atomic_load_explicit(&was_forked, memory_order_relaxed);
}

const char *const platform_forked_message =
    "This process was forked after RemoteImage had been used, whose threads are in the parent only. "
    "Call exec() in the child, or fork before the first use.";

void platform_say_forked(void) {
    struct iovec parts[] = {
        {.iov_base = "RemoteImage: ", .iov_len = sizeof "RemoteImage: " - 1},
        {.iov_base = (void *)platform_forked_message, .iov_len = strlen(platform_forked_message)},
        {.iov_base = "\n", .iov_len = 1},
    };
    // Ignores failures, as when standard error is closed.
    ssize_t written = writev(STDERR_FILENO, parts, 3);
    (void)written;
}

void platform_bind_translations(const char *domain, const char *folder) {
    bindtextdomain(domain, folder);
    bind_textdomain_codeset(domain, "UTF-8");
}
