// What a process that decodes for another one needs: memory files, descriptors in messages, and locking itself in.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// An empty file in memory, closed on exec, that can be sealed; -1 with errno set.
int platform_memory_file(const char *name);

/// Ends all changes of a memory file, its seals included. 0, or -1 with errno set.
int platform_seal(int file);

/// Whether nobody can make the file shorter, longer or different any more.
int platform_is_sealed(int file);

/// Sends one message and with it the descriptor `attached`, unless that is -1. Never raises SIGPIPE. 0, or -1 with
/// errno set; EMSGSIZE where only a part was taken.
int platform_send_message(int socket, const void *bytes, size_t count, int attached);

/// Receives one message of at most `capacity` bytes. The descriptor that came with it goes to `attached`, else -1; the
/// caller closes it. A message that is longer or brings several descriptors is refused: those are closed, and errno is
/// EBADMSG. The count of bytes, 0 where the other side has gone, or -1 with errno set.
intptr_t platform_receive_message(int socket, void *bytes, size_t capacity, int *attached);

/// Starts a program that has `socket` as descriptor 3, nothing on standard input and output, our standard error, no
/// blocked or ignored signals, and a process group of its own, so that a Ctrl-C is not for it. `arguments` ends
/// with NULL. 0, or the error.
int platform_start_confined(const char *path, char *const arguments[], int socket, int *process);

/// Waits for the end of a child without taking its number away from it. 0, or -1 where it is no child of ours.
int platform_wait_for_exit(int process);

/// Takes the number of a child that has ended away: its exit status, 256 and the signal that ended it, or -1.
int platform_take_exit_status(int process);

/// Closes every descriptor from `first` on.
void platform_close_from(int first);

/// Makes the calling process die with the thread that started it; -1 where `parent` is gone already.
int platform_die_with_parent(int parent);

/// The limits of a decoder process. A limit of 0 is none.
struct platform_limits {
    uint64_t memory_bytes;
    uint64_t file_bytes;
    uint64_t cpu_seconds;
    uint64_t open_files;
};

/// Sets them for the calling process, and that it leaves no core. 0, or -1 with errno set.
int platform_limit_process(const struct platform_limits *limits);

/// Lets the calling process keep up to 16 MiB of memory that it freed, for the next picture: giving it back and taking it
/// again costs more than decoding a small one.
void platform_keep_freed_memory(void);

/// From here on the calling process has no new privileges, and no system calls but those that computing on memory and
/// talking over open descriptors need: another one ends it, except some that libraries merely try, which fail. 1; 0 where
/// this kernel or processor has no filters; -1 where setting one failed.
int platform_confine_process(void);

/// Whether this was built with a sanitizer, whose runtime needs more memory and calls than a confined process has.
int platform_is_sanitized(void);

/// Processor time of the process so far, in seconds.
double platform_process_cpu_seconds(void);

/// The file that this code was loaded from: the program, or the shared library. NULL where that is not known.
const char *platform_loaded_path(void);
