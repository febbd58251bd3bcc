// Functions for decoder processes: shared memory, descriptors in messages, and confinement.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Creates a memory file of `bytes` zeros, which is closed on exec. Its size cannot change, so that
/// an access to a mapping is never beyond its end. Returns the descriptor, or -1 with errno set.
int platform_memory_file(const char *name, uint64_t bytes);

/// Seals a memory file against writing. Returns 0, or -1 with errno set; EBUSY while a process has
/// a writable mapping.
int platform_seal(int file);

/// Whether a memory file can no longer be written or resized.
int platform_is_sealed(int file);

/// Frees the memory of a range of a memory file, which then reads as zeros. Returns 0, or -1 with
/// errno set.
int platform_discard(int file, uint64_t offset, uint64_t bytes);

/// Sends one message and with it the descriptor `attached`, unless that is -1. Never raises
/// SIGPIPE. Returns 0, or -1 with errno set; EMSGSIZE if only a part was sent.
int platform_send_message(int socket, const void *bytes, size_t count, int attached);

/// Receives one message of at most `capacity` bytes. Stores an attached descriptor in `attached`,
/// otherwise -1; the caller closes it. A longer message or one with several descriptors is
/// rejected: the descriptors are closed, and errno is EBADMSG. Returns the number of bytes, 0 if
/// the other side has closed the socket, or -1 with errno set.
intptr_t platform_receive_message(int socket, void *bytes, size_t capacity, int *attached);

/// Starts a program with `socket` as descriptor 3, /dev/null as standard input, output and error,
/// no blocked or ignored signals, and its own process group, so that Ctrl-C does not reach it.
/// `arguments` and `environment` end with NULL. Returns 0 or the error number.
int platform_start_confined(
    const char *path, char *const arguments[], char *const environment[], int socket, int *process);

/// Waits for the end of a child without reaping it, so that its process id stays reserved. Returns
/// 0, or -1 if it is not a child of this process.
int platform_wait_for_exit(int process);

/// Reaps a child that has ended. Returns its exit status, 256 plus the signal that ended it, or -1.
int platform_take_exit_status(int process);

/// Closes every descriptor from `first` on.
void platform_close_from(int first);

/// Makes the kernel kill the calling process when the thread that started it ends. Returns 0, or -1
/// if `parent` is no longer its parent.
int platform_die_with_parent(int parent);

/// The limits of a decoder process.
struct platform_limits {
    uint64_t memory_bytes;
    uint64_t cpu_seconds;
    uint64_t open_files;
};

/// Sets the limits of the calling process. It also writes no core dump, not even to a program that
/// collects them, and cannot extend files or memory files, whose pages `memory_bytes` does not
/// count. Returns 0, or -1 with errno set.
int platform_limit_process(const struct platform_limits *limits);

/// Makes the calling process keep up to 16 MiB of freed memory for the next image, since returning
/// and allocating it again takes longer than decoding a small image.
void platform_keep_freed_memory(void);

/// Returns the freed memory of the calling process to the system, before a long wait.
void platform_return_freed_memory(void);

/// Fills later allocations of the calling process with zeros, except small ones, if the C library
/// supports it: for codecs that leave parts of an image unwritten.
void platform_zero_allocations(void);

enum {
    /// System calls are filtered.
    PLATFORM_FILTERED = 1,
    /// Landlock denies every file except the listed ones and, in its later versions, TCP ports and
    /// signals to other processes.
    PLATFORM_LANDLOCKED = 2,
};

/// The kernel's version of Landlock, 0 without it, or -1 with errno set.
int platform_landlock_version(void);

/// Denies every file access that the kernel's version of Landlock knows, for the calling thread and
/// the threads that it starts, except reading the files in `readable`, which ends with NULL, or is
/// NULL. Returns the version, 0 without Landlock, or -1 with errno set.
int platform_forbid_files(const char *const readable[]);

/// Confines the calling process with all its threads: no new privileges, no files, and only system
/// calls for computing in memory and for communicating over open descriptors. Some calls that
/// libraries merely try fail; any other call ends the process. Unless it is a call of another
/// processor architecture or one that would prevent this, the process first sends the number of the
/// call over `report_socket`, in the message below.
///
/// With Landlock, a process that has only one thread can then read the files in `readable`, which
/// ends with NULL, or is NULL for none. Such a process can also learn whether other files exist,
/// and how large they are.
///
/// Returns the `PLATFORM_…` bits that are in force, 0 if the kernel supports neither, or -1 with
/// errno set.
int platform_confine_process(int report_socket, const char *const readable[]);

/// The message that a confined process sends before it ends: four bytes of length, a 2, and eight
/// bytes, lowest first, for the number of the system call.
enum { platform_violation_length = 13, platform_violation_tag = 2, platform_violation_status = 73 };

/// The name of a system call; NULL for calls that a decoder is unlikely to make.
const char *platform_system_call_name(int number);

/// Whether this code was built with a sanitizer, whose runtime needs more memory and system calls
/// than a confined process has.
int platform_is_sanitized(void);

/// Processor time of the process so far, in seconds.
double platform_process_cpu_seconds(void);

/// The path of the shared library from which this code was loaded; NULL if this code is a part of
/// the program.
const char *platform_loaded_path(void);
