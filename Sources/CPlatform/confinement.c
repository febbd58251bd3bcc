// How a process locks itself in: resource limits, and a filter of system calls.
#define _GNU_SOURCE
#include "CPlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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
    // It may have ended before that.
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

static int limit(int resource, uint64_t soft, uint64_t hard) {
    struct rlimit known, wanted;
    if (getrlimit(resource, &known) != 0) return -1;
    wanted.rlim_max = hard < known.rlim_max ? hard : known.rlim_max;
    wanted.rlim_cur = soft < wanted.rlim_max ? soft : wanted.rlim_max;
    return setrlimit(resource, &wanted);
}

int platform_limit_process(const struct platform_limits *limits) {
    if (limit(RLIMIT_CORE, 0, 0) != 0) return -1;
    if (limits->memory_bytes && limit(RLIMIT_AS, limits->memory_bytes, limits->memory_bytes) != 0) return -1;
    if (limits->file_bytes && limit(RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes) != 0) return -1;
    if (limits->open_files && limit(RLIMIT_NOFILE, limits->open_files, limits->open_files) != 0) return -1;
    // SIGXCPU first: it tells what happened.
    if (limits->cpu_seconds && limit(RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1) != 0) return -1;
    return 0;
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
/// Where the call has this number, `action` is the answer.
#define CALL(number, action) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), RETURN(action)
#define ALLOW(name) CALL(SYS_##name, SECCOMP_RET_ALLOW)
/// Libraries try these and go on without.
#define REFUSE(name, error) CALL(SYS_##name, SECCOMP_RET_ERRNO | (error))
/// Allowed where no bit of `bits` is set in the low half of an argument (little-endian), else the end.
#define ALLOW_WITHOUT(name, index, bits) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), ARGUMENT(index), \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, 1), RETURN(SECCOMP_RET_KILL_PROCESS), \
        RETURN(SECCOMP_RET_ALLOW)

static struct sock_filter filter[] = {
    FIELD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    FIELD(nr),
    // Numbers of the x32 interface carry a bit of their own and match none below.

    // Talking over what is open.
    ALLOW(read), ALLOW(write), ALLOW(pread64), ALLOW(pwrite64), ALLOW(readv), ALLOW(writev), ALLOW(close),
    ALLOW(recvmsg), ALLOW(sendmsg), ALLOW(ppoll), ALLOW(fstat), ALLOW(lseek),
    ALLOW(memfd_create), ALLOW(ftruncate),
    // Sealing, and nothing else of fcntl: another command makes the kernel send signals to other processes.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 5), ARGUMENT(1),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_ADD_SEALS, 1, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GET_SEALS, 0, 1),
    RETURN(SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_ERRNO | EPERM),
    // Memory; none of it becomes code.
    ALLOW_WITHOUT(mmap, 2, PROT_EXEC), ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
    ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW(brk),
    // Time, threads, the end.
    ALLOW(clock_gettime), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(gettimeofday), ALLOW(getrandom),
    ALLOW(getrusage), ALLOW(futex), ALLOW(sched_yield), ALLOW(sched_getaffinity), ALLOW(gettid), ALLOW(getpid),
    ALLOW(set_robust_list), ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(restart_syscall),
    ALLOW(sigaltstack), ALLOW(exit), ALLOW(exit_group), ALLOW(getuid), ALLOW(geteuid),
#ifdef SYS_rseq
    ALLOW(rseq),
#endif
#ifdef SYS_poll
    ALLOW(poll),
#endif
    // A thread and not a process: some decoders have several. Its flags are in registers; those of clone3 are not,
    // and where that is missing, clone is used.
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
    RETURN(SECCOMP_RET_KILL_PROCESS),
};

int platform_confine_process(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0) return 1;
    return errno == EINVAL ? 0 : -1;
}

#else

int platform_confine_process(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : -1;
}

#endif
