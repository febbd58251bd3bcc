// Memory files, messages that carry them, and the start of the process that gets them.
#define _GNU_SOURCE
#include "CRemoteImagePlatform.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const int size_seals = F_SEAL_SHRINK | F_SEAL_GROW;

int platform_memory_file(const char *name, uint64_t bytes) {
    int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    if (ftruncate(file, (off_t)bytes) == 0 && fcntl(file, F_ADD_SEALS, size_seals) == 0) return file;
    int error = errno;
    close(file);
    errno = error;
    return -1;
}

int platform_seal(int file) {
    return fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL);
}

int platform_is_sealed(int file) {
    int seals = fcntl(file, F_GET_SEALS), all = size_seals | F_SEAL_WRITE;
    return seals >= 0 && (seals & all) == all;
}

int platform_discard(int file, uint64_t offset, uint64_t bytes) {
    return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}

int platform_send_message(int socket, const void *bytes, size_t count, int attached) {
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {0};
    if (attached >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &attached, sizeof(int));
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent >= 0 && (size_t)sent != count) errno = EMSGSIZE;
    return sent == (ssize_t)count ? 0 : -1;
}

intptr_t platform_receive_message(int socket, void *bytes, size_t capacity, int *attached) {
    // Room for more than one descriptor, so that a second one is seen and closed.
    enum { most = 8 };
    struct iovec part = {bytes, capacity};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(most * sizeof(int))] = {0};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    *attached = -1;
    ssize_t count;
    do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -1;
    int is_bad = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t files = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < files; index++) {
            int file;
            memcpy(&file, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
            if (*attached < 0 && !is_bad) {
                *attached = file;
            } else {
                close(file);
                is_bad = 1;
            }
        }
    }
    if (!is_bad) return count;
    if (*attached >= 0) close(*attached);
    *attached = -1;
    errno = EBADMSG;
    return -1;
}

int platform_start_confined(
    const char *path, char *const arguments[], char *const environment[], int socket, int *process) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    // Comes first: if the application has closed its standard streams, the socket may have one of
    // their descriptors. If the socket already is descriptor 3, posix_spawn clears FD_CLOEXEC.
    posix_spawn_file_actions_adddup2(&actions, socket, 3);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    // The application's standard error may be a terminal, which must not get text that an image
    // makes a decoder write.
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    int error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int platform_wait_for_exit(int process) {
    siginfo_t info;
    int result;
    do result = waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT);
    while (result < 0 && errno == EINTR);
    return result;
}

int platform_take_exit_status(int process) {
    int status;
    pid_t ended;
    do ended = waitpid(process, &status, WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended != process) return -1;
    return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

const char *platform_loaded_path(void) {
    Dl_info info;
    struct link_map *object;
    if (!dladdr1((void *)platform_loaded_path, &info, (void **)&object, RTLD_DL_LINKMAP)) return NULL;
    // The name of the program is empty.
    return object->l_name[0] ? object->l_name : NULL;
}
