// Confines itself like the decoder process, and then tries the operation that its argument names.
// Prints 0 if the operation succeeded, else errno; if it ends the process, the exit status shows
// this. Standard output is the socket for reports of violations.
#define _GNU_SOURCE
#include "CRemoteImagePlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int answer(long result) {
    char text[16];
    int length = snprintf(text, sizeof text, "%d\n", result < 0 ? errno : 0);
    return write(STDOUT_FILENO, text, (size_t)length) == length ? 0 : 1;
}

static pthread_barrier_t confined;

static void *make_socket(void *unused) {
    (void)unused;
    pthread_barrier_wait(&confined);
    answer(socket(AF_INET, SOCK_STREAM, 0));
    return NULL;
}

static void pause_thread(void) {
    struct timespec time = {.tv_sec = 60};
    nanosleep(&time, NULL);
}

static void *wait_forever(void *unused) {
    for (;;) pause_thread();
    return unused;
}

/// Starts 400 threads with small stacks, which fit into the memory limit.
static int start_threads(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    for (int index = 0; index < 400; index++) {
        pthread_t thread;
        errno = pthread_create(&thread, &attributes, wait_forever, NULL);
        if (errno != 0) return -1;
    }
    return 0;
}

static void print_result(const char *name, long result) {
    char text[64];
    int length = snprintf(text, sizeof text, "%s %d\n", name, result < 0 ? errno : 0);
    if (write(STDOUT_FILENO, text, (size_t)length) != length) _exit(1);
}

// A call with arguments with which it would succeed, or fail in another way, in a free process.
#define TRY(name, ...) print_result(#name, syscall(SYS_##name, __VA_ARGS__))

/// Makes the calls that fail in every confined process, and prints the name and the error of each.
static int try_refused_calls(void) {
    char memory[512] = {0};
    TRY(memfd_create, "trial", 0);
    TRY(ftruncate, STDOUT_FILENO, 0);
    TRY(fallocate, STDOUT_FILENO, 0, 0, 1);
    TRY(fcntl, STDOUT_FILENO, F_GETFD, 0);
    TRY(openat, AT_FDCWD, "/", O_RDONLY, 0);
    TRY(newfstatat, AT_FDCWD, "/", memory, 0);
    TRY(readlinkat, AT_FDCWD, "/proc/self/exe", memory, sizeof memory);
    TRY(faccessat, AT_FDCWD, "/", F_OK);
    TRY(statx, AT_FDCWD, "/", 0, STATX_SIZE, memory);
    TRY(sysinfo, memory);
    TRY(uname, memory);
    TRY(prctl, PR_GET_DUMPABLE, 0, 0, 0, 0);
    TRY(ioctl, STDOUT_FILENO, 0x541B, memory);
    TRY(prlimit64, 0, 0, NULL, memory);
    TRY(sched_setaffinity, 0, sizeof memory, memory);
    TRY(sched_setscheduler, 0, 0, memory);
    TRY(setpriority, 0, 0, 0);
    TRY(getcwd, memory, sizeof memory);
    TRY(clone, SIGCHLD, NULL, NULL, NULL, NULL);
    TRY(clone3, memory, 0);
    return 0;
}

/// Makes the calls that only a process with readable files may make, or that fail differently.
static int try_calls_of_readers(void) {
    struct stat status;
    TRY(getpeername, STDOUT_FILENO, NULL, NULL);
    TRY(faccessat, AT_FDCWD, "/missing", F_OK);
    TRY(newfstatat, STDOUT_FILENO, "", &status, AT_EMPTY_PATH);
    TRY(newfstatat, AT_FDCWD, "/", &status, 0);
    TRY(openat, AT_FDCWD, "/etc/hostname", O_RDONLY | O_CREAT, 0);
    TRY(openat, AT_FDCWD, "/etc/hostname", O_RDONLY | O_TRUNC, 0);
    TRY(openat, AT_FDCWD, "/etc/hostname", O_RDWR, 0);
    return 0;
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    const char *trial = arguments[1];
    struct platform_limits limits = {.memory_bytes = 1 << 30, .cpu_seconds = 60, .open_files = 8};
    if (strcmp(trial, "landlock") == 0) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 70;
        if (platform_forbid_files(NULL) <= 0) return 77;
        return answer(open("/etc/passwd", O_RDONLY));
    }
    if (strcmp(trial, "memory-file-limit") == 0) {
        if (platform_limit_process(&limits) != 0) return 70;
        signal(SIGXFSZ, SIG_IGN);
        return answer(ftruncate(memfd_create("trial", MFD_CLOEXEC), 4096));
    }
    if (strcmp(trial, "standard-stream") == 0) {
        // With closed standard streams, the socket can have the descriptor of one of them.
        int pair[2], process;
        char text[2] = "";
        char *words[] = {"sh", "-c", "printf 7 >&3", NULL}, *none[] = {NULL};
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0 || dup2(pair[1], 0) != 0) return 70;
        close(pair[1]);
        if (platform_start_confined("/bin/sh", words, none, 0, &process) != 0) return 71;
        close(0);
        ssize_t length = read(pair[0], text, 1);
        return length == 1 && text[0] == '7' ? 0 : 1;
    }
    int is_threads = strcmp(trial, "threads") == 0;
    // The kernel never limits the threads of root.
    if (is_threads && geteuid() == 0 && (setresgid(1, 1, 1) != 0 || setresuid(1, 1, 1) != 0)) return 70;
    uid_t user = getuid();
    pthread_t thread;
    pthread_barrier_init(&confined, NULL, 2);
    if (strcmp(trial, "thread") == 0 && pthread_create(&thread, NULL, make_socket, NULL) != 0) return 70;
    if (platform_limit_process(&limits) != 0) return 70;
    // Trials with this prefix are of a process that may read one file.
    const char *readable[] = {"/etc/hostname", NULL};
    int is_reader = strncmp(trial, "reader-", 7) == 0;
    int confinement = platform_confine_process(STDOUT_FILENO, is_reader ? readable : NULL);
    if (confinement < 0) return 71;
    if (!(confinement & PLATFORM_FILTERED)) return 77;
    if (strcmp(trial, "thread") == 0) {
        pthread_barrier_wait(&confined);
        pthread_join(thread, NULL);
        return 0;
    }
    // Without a user namespace of its own, the process keeps its user.
    if (is_threads) return getuid() == user ? 77 : answer(start_threads());
    if (strcmp(trial, "socket") == 0) return answer(socket(AF_INET, SOCK_STREAM, 0));
    if (strcmp(trial, "code") == 0) {
        return answer((long)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    }
    if (strcmp(trial, "abort") == 0) abort();
    if (strcmp(trial, "refused") == 0) return try_refused_calls();
    if (strcmp(trial, "writable-code") == 0) {
        // Data may be made unwritable, and never code.
        void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED || mprotect(memory, 4096, PROT_READ) != 0) return 1;
        return answer(mprotect(memory, 4096, PROT_READ | PROT_EXEC));
    }
    if (strcmp(trial, "kill") == 0) return answer(kill(getpid(), 0));
    if (strcmp(trial, "thread-signal") == 0) return answer(syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1));
    if (strcmp(trial, "peer") == 0) return answer(syscall(SYS_getpeername, STDOUT_FILENO, NULL, NULL));
    if (strcmp(trial, "program") == 0) return answer(execl("/bin/true", "true", (char *)NULL));
    if (strcmp(trial, "handler") == 0) return answer(signal(SIGSYS, SIG_IGN) == SIG_ERR ? -1 : 0);
    if (strcmp(trial, "file") == 0) return answer(open("/etc/passwd", O_RDONLY));
    if (is_reader && !(confinement & PLATFORM_LANDLOCKED)) return 77;
    if (strcmp(trial, "reader-own") == 0) return answer(open("/etc/hostname", O_RDONLY));
    if (strcmp(trial, "reader-other") == 0) return answer(open("/etc/passwd", O_RDONLY));
    if (strcmp(trial, "reader-folder") == 0) return answer(open("/etc", O_RDONLY | O_DIRECTORY));
    if (strcmp(trial, "reader-write") == 0) return answer(open("/etc/hostname", O_WRONLY));
    if (strcmp(trial, "reader-temporary") == 0) return answer(open("/tmp", O_RDWR | O_TMPFILE, 0600));
    if (strcmp(trial, "reader-calls") == 0) return try_calls_of_readers();
    if (strcmp(trial, "reader-socket") == 0) return answer(socket(AF_INET, SOCK_STREAM, 0));
    if (strcmp(trial, "memory-file") == 0) return answer(memfd_create("trial", MFD_CLOEXEC));
    if (strcmp(trial, "memory") == 0) {
        void *memory = mmap(NULL, 2UL << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return answer(memory == MAP_FAILED ? -1 : 0);
    }
    return 64;
}
