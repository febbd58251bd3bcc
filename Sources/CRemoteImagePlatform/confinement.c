// How a process confines itself: resource limits, Landlock, and a filter of system calls.
#define _GNU_SOURCE
#include "CRemoteImagePlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

int platform_is_sanitized(void) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
    return 1;
#endif
#endif
    return 0;
}

void platform_close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0) return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (long file = first; file < (most > 0 ? most : 1024); file++) close((int)file);
}

int platform_die_with_parent(int parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return -1;
    // The parent may have ended before the call.
    return getppid() == parent ? 0 : -1;
}

double platform_process_cpu_seconds(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void platform_keep_freed_memory(void) {
#ifdef M_TRIM_THRESHOLD
    mallopt(M_TRIM_THRESHOLD, 16 << 20);
    mallopt(M_MMAP_THRESHOLD, 8 << 20);
#endif
}

void platform_return_freed_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void platform_zero_allocations(void) {
#ifdef M_PERTURB
    // glibc fills allocated memory with the complement of this byte.
    mallopt(M_PERTURB, 0xFF);
#endif
}

static int limit(int resource, uint64_t soft, uint64_t hard) {
    struct rlimit known, wanted;
    if (getrlimit(resource, &known) != 0) return -1;
    wanted.rlim_max = hard < known.rlim_max ? hard : known.rlim_max;
    wanted.rlim_cur = soft < wanted.rlim_max ? soft : wanted.rlim_max;
    return setrlimit(resource, &wanted);
}

// Limits the threads of the process where the system allows it. The kernel counts the threads of
// all processes of a user in one user namespace, so the process gets a namespace of its own.
static void limit_threads(void) {
    struct utsname system;
    int major, minor;
    // The kernel never limits root, and before Linux 5.14 it counts across namespaces: other
    // programs of the user would use up the limit.
    if (geteuid() == 0 || uname(&system) != 0 || sscanf(system.release, "%d.%d", &major, &minor) != 2) return;
    if (major < 5 || (major == 5 && minor < 14)) return;
    // Fails in a process with several threads, and where namespaces are forbidden.
    if (unshare(CLONE_NEWUSER) != 0) return;
    // Decoders of AV1 start a thread for each processor.
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t most = 64 + (uint64_t)(processors > 0 ? processors : 64);
    limit(RLIMIT_NPROC, most, most);
}

int platform_limit_process(const struct platform_limits *limits) {
    // With 0, the kernel would still pass a dump to a program such as systemd-coredump; 1 prevents
    // that too (core(5)).
    if (limit(RLIMIT_CORE, 1, 1) != 0 || limit(RLIMIT_FSIZE, 0, 0) != 0) return -1;
    if (limit(RLIMIT_AS, limits->memory_bytes, limits->memory_bytes) != 0) return -1;
    limit_threads();
    if (limit(RLIMIT_NOFILE, limits->open_files, limits->open_files) != 0) return -1;
    // SIGXCPU comes before SIGKILL, since it identifies the cause.
    return limit(RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1);
}

// The numbers and layouts of Landlock, which the headers of older systems know in part.
enum { landlock_create_ruleset = 444, landlock_add_rule = 445, landlock_restrict_self = 446, landlock_version = 1 };
enum { landlock_path_beneath = 1, landlock_read_file = 1 << 2 };

struct landlock_rules {
    uint64_t files, ports, scopes;
};

struct __attribute__((packed)) landlock_path {
    uint64_t accesses;
    int32_t file;
};

int platform_landlock_version(void) {
    long version = syscall(landlock_create_ruleset, NULL, 0, landlock_version);
    if (version > 0) return (int)version;
    // Filters of containers answer EPERM or EACCES to system calls that they do not know.
    return errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM || errno == EACCES ? 0 : -1;
}

// Landlock leaves out threads that were started before.
static bool has_one_thread(void) {
    struct stat threads;
    return stat("/proc/self/task", &threads) == 0 && threads.st_nlink == 3;
}

int platform_forbid_files(const char *const readable[]) {
    int version = platform_landlock_version();
    if (version <= 0) return version;
    // Landlock denies handled accesses without a rule: 13 file accesses in version 1; later
    // versions add renaming, truncating and devices.
    int accesses = 13 + (version >= 2) + (version >= 3) + (version >= 5);
    struct landlock_rules rules = {
        .files = (1ULL << accesses) - 1, .ports = version >= 4 ? 3 : 0, .scopes = version >= 6 ? 3 : 0};
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int set = (int)syscall(landlock_create_ruleset, &rules, size, 0);
    if (set < 0) return -1;
    for (; readable && *readable; readable++) {
        // A file that was removed in the meantime is left out.
        struct landlock_path path = {landlock_read_file, open(*readable, O_PATH | O_CLOEXEC)};
        if (path.file < 0) continue;
        syscall(landlock_add_rule, set, landlock_path_beneath, &path, 0);
        close(path.file);
    }
    long result = syscall(landlock_restrict_self, set, 0);
    int error = errno;
    close(set);
    errno = error;
    return result == 0 ? version : -1;
}

#ifndef SYS_SECCOMP
#define SYS_SECCOMP 1
#endif

static int report_socket = -1;

// Runs instead of a forbidden system call. Async-signal-safe.
static void report_violation(int signal, siginfo_t *info, void *context) {
    (void)context;
    if (info->si_code != SYS_SECCOMP) {
        // Another process sent the signal.
        struct sigaction standard = {.sa_handler = SIG_DFL};
        sigaction(signal, &standard, NULL);
        raise(signal);
    }
    unsigned char message[platform_violation_length] = {platform_violation_length - 4, 0, 0, 0, platform_violation_tag};
    uint64_t number = (unsigned)info->si_syscall;
    for (int byte = 0; byte < 8; byte++) message[5 + byte] = (unsigned char)(number >> (8 * byte));
    struct iovec part = {message, sizeof message};
    struct msghdr whole = {.msg_iov = &part, .msg_iovlen = 1};
    // A full socket must not keep the process alive.
    ssize_t sent = sendmsg(report_socket, &whole, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)sent;
    _exit(platform_violation_status);
}

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef OUR_ARCHITECTURE

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define ARGUMENT(index) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + (index) * sizeof(uint64_t))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
/// Returns `action` for the system call with this number.
#define CALL(number, action) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), RETURN(action)
#define ALLOW(name) CALL(SYS_##name, SECCOMP_RET_ALLOW)
/// Libraries try these and go on without.
#define REFUSE(name, error) CALL(SYS_##name, SECCOMP_RET_ERRNO | (error))
/// Kills the process without a report, for calls that only an attack or abort() makes.
#define KILL SECCOMP_RET_KILL_PROCESS
/// Ends the process with a report.
#define REPORT SECCOMP_RET_TRAP
/// Allows the call if the low half of an argument (little-endian) has none of `bits`; otherwise
/// ends the process with a report.
#define ALLOW_WITHOUT(name, index, bits) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), ARGUMENT(index), \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, 1), RETURN(REPORT), \
        RETURN(SECCOMP_RET_ALLOW)

static const struct sock_filter filter_start[] = {
    FIELD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0),
    RETURN(KILL),
    FIELD(nr),
    // Numbers of the x32 interface carry a bit of their own and match none below.
};

// What libraries of fonts need to read the files that Landlock leaves.
static const struct sock_filter filter_of_readers[] = {
    // Opening, but not for writing.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4), ARGUMENT(2),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1),
    RETURN(SECCOMP_RET_ERRNO | EACCES), RETURN(SECCOMP_RET_ALLOW),
    // The C library's fstat. The filter cannot check that the path is empty.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_newfstatat, 0, 4), ARGUMENT(3),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, AT_EMPTY_PATH, 1, 0), RETURN(SECCOMP_RET_ERRNO | EACCES),
    RETURN(SECCOMP_RET_ALLOW),
};

// What libraries of fonts need even if no file is readable.
static const struct sock_filter filter_of_drawings[] = {
    // GLib asks before it logs whether standard error is the journal.
    REFUSE(getpeername, ENOTSOCK),
    // Fonts look accessible, as Pango checks before it opens one, or uses an open one.
#ifdef SYS_access
    REFUSE(access, 0),
#endif
    REFUSE(faccessat, 0),
};

static const struct sock_filter filter_rest[] = {
    // Communication over open descriptors. The application creates the shared memory, since no
    // limit would bound memory files of this process.
    ALLOW(read), ALLOW(write), ALLOW(pread64), ALLOW(pwrite64), ALLOW(readv), ALLOW(writev), ALLOW(close),
    ALLOW(recvmsg), ALLOW(sendmsg), ALLOW(ppoll), ALLOW(fstat), ALLOW(lseek),
    REFUSE(memfd_create, EPERM), REFUSE(ftruncate, EPERM), REFUSE(fallocate, EPERM),
    // Some commands make the kernel send signals to other processes.
    REFUSE(fcntl, EPERM),
    // Memory; none of it becomes code.
    ALLOW_WITHOUT(mmap, 2, PROT_EXEC), ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
    ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW(brk),
    // Time, threads, the end.
    ALLOW(clock_gettime), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(gettimeofday), ALLOW(getrandom),
    ALLOW(getrusage), ALLOW(futex), ALLOW(sched_yield), ALLOW(sched_getaffinity), ALLOW(gettid), ALLOW(getpid),
    ALLOW(set_robust_list), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(restart_syscall),
    ALLOW(sigaltstack), ALLOW(exit), ALLOW(exit_group), ALLOW(getuid), ALLOW(geteuid),
#ifdef SYS_rseq
    ALLOW(rseq),
#endif
#ifdef SYS_poll
    ALLOW(poll),
#endif
    // Signal handlers, except that of SIGSYS, which reports violations.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigaction, 0, 4), ARGUMENT(0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SIGSYS, 0, 1), RETURN(KILL), RETURN(SECCOMP_RET_ALLOW),
    // abort() is a crash and not a violation.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 4), ARGUMENT(2),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SIGABRT, 0, 1), RETURN(KILL), RETURN(REPORT),
    // Threads, which some decoders start, but no processes. The filter can read the flags of clone,
    // which are in registers, but not those of clone3; without clone3, libraries use clone.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4), ARGUMENT(0),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1), RETURN(SECCOMP_RET_ALLOW),
    RETURN(SECCOMP_RET_ERRNO | EPERM),
#ifdef SYS_clone3
    REFUSE(clone3, ENOSYS),
#endif
    REFUSE(openat, EACCES), REFUSE(newfstatat, EACCES), REFUSE(readlinkat, EACCES), REFUSE(faccessat, EACCES),
#ifdef SYS_open
    REFUSE(open, EACCES), REFUSE(stat, EACCES), REFUSE(lstat, EACCES), REFUSE(access, EACCES),
    REFUSE(readlink, EACCES),
#endif
    REFUSE(statx, ENOSYS), REFUSE(sysinfo, EPERM), REFUSE(uname, EPERM), REFUSE(prctl, EPERM), REFUSE(ioctl, ENOTTY),
    REFUSE(prlimit64, EPERM), REFUSE(sched_setaffinity, EPERM), REFUSE(sched_setscheduler, EPERM),
    REFUSE(setpriority, EPERM), REFUSE(getcwd, EACCES),
    RETURN(REPORT),
};

static int set_filter(bool draws, bool reads_files) {
    // Jumps are relative, and each part ends where a further check of the number may begin.
    enum {
        bytes = sizeof filter_start + sizeof filter_of_readers + sizeof filter_of_drawings + sizeof filter_rest
    };
    struct sock_filter filter[bytes / sizeof(struct sock_filter)];
    size_t count = 0;
#define APPEND(part)                             \
    memcpy(filter + count, part, sizeof part);   \
    count += sizeof part / sizeof *part;
    APPEND(filter_start)
    if (reads_files) {
        APPEND(filter_of_readers)
    }
    if (draws) {
        APPEND(filter_of_drawings)
    }
    APPEND(filter_rest)
    struct sock_fprog program = {(unsigned short)count, filter};
    // Includes threads that a library has already started.
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (result == 0) return PLATFORM_FILTERED;
    // A thread has a filter of its own.
    if (result > 0) errno = EBUSY;
    return result < 0 && (errno == EINVAL || errno == ENOSYS) ? 0 : -1;
}

#else

static int set_filter(bool draws, bool reads_files) {
    (void)draws;
    (void)reads_files;
    return 0;
}

#endif

int platform_confine_process(int socket, const char *const readable[]) {
    report_socket = socket;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = report_violation;
    action.sa_flags = SA_SIGINFO;
    if (sigaction(SIGSYS, &action, NULL) != 0) return -1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    bool is_single = has_one_thread();
    int version = platform_forbid_files(readable);
    if (version < 0) return -1;
    // Without Landlock, every file would be readable.
    int filtered = set_filter(readable, readable && is_single && version > 0);
    return filtered < 0 ? -1 : filtered | (version > 0 ? PLATFORM_LANDLOCKED : 0);
}

#define NAME(name) \
    case SYS_##name: return #name;

const char *platform_system_call_name(int number) {
    switch (number) {
        NAME(socket) NAME(connect) NAME(bind) NAME(accept4) NAME(sendto) NAME(recvfrom) NAME(socketpair)
        NAME(execve) NAME(execveat) NAME(clone) NAME(kill) NAME(tgkill) NAME(ptrace) NAME(process_vm_readv)
        NAME(process_vm_writev) NAME(mmap) NAME(mprotect) NAME(mount) NAME(unshare) NAME(setns) NAME(chroot)
        NAME(openat2) NAME(unlinkat) NAME(renameat2) NAME(mkdirat) NAME(linkat) NAME(symlinkat) NAME(fchmodat)
        NAME(getdents64) NAME(pipe2) NAME(eventfd2) NAME(epoll_create1) NAME(epoll_ctl) NAME(epoll_pwait)
        NAME(timerfd_create) NAME(signalfd4) NAME(inotify_init1) NAME(dup) NAME(dup3) NAME(io_uring_setup) NAME(bpf)
        NAME(seccomp) NAME(keyctl) NAME(shmget) NAME(statfs) NAME(fstatfs) NAME(getppid) NAME(setsid) NAME(umask)
        NAME(sched_getscheduler) NAME(sched_getparam) NAME(getpriority) NAME(membarrier) NAME(getcpu) NAME(msync)
        NAME(mlock) NAME(mincore) NAME(mbind) NAME(get_mempolicy) NAME(clock_getres) NAME(times) NAME(getgid)
        NAME(getegid) NAME(capget) NAME(waitid) NAME(wait4)
#ifdef SYS_fork
        NAME(fork) NAME(vfork) NAME(pipe) NAME(dup2) NAME(eventfd) NAME(select) NAME(time) NAME(getdents)
        NAME(unlink) NAME(rename) NAME(mkdir) NAME(arch_prctl)
#endif
    default: return NULL;
    }
}
