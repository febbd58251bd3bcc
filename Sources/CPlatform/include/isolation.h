// What a process that decodes for another one needs: shared memory, descriptors in messages, and
// confinement.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// A memory file of `bytes` zeros, closed on exec. Its size cannot change, so a process that maps
/// it cannot be made to fault. -1 with errno set.
int platform_memory_file(const char *name, uint64_t bytes);

/// Ends all writing to a memory file, by mappings that exist as well. 0, or -1 with errno set;
/// EBUSY while a process can write to it.
int platform_seal(int file);

/// Whether a memory file can be neither written nor resized any more.
int platform_is_sealed(int file);

/// Gives back the memory behind a range of a memory file, which reads as zeros afterwards. 0, or -1
/// with errno set.
int platform_discard(int file, uint64_t offset, uint64_t bytes);

/// Sends one message and with it the descriptor `attached`, unless that is -1. Never raises
/// SIGPIPE. 0, or -1 with errno set; EMSGSIZE where only a part was taken.
int platform_send_message(int socket, const void *bytes, size_t count, int attached);

/// Receives one message of at most `capacity` bytes. The descriptor that came with it goes to
/// `attached`, else -1; the caller closes it. A message that is longer or brings several
/// descriptors is refused: those are closed, and errno is EBADMSG. The count of bytes, 0 where the
/// other side has gone, or -1 with errno set.
intptr_t platform_receive_message(int socket, void *bytes, size_t capacity, int *attached);

/// Starts a program that has `socket` as descriptor 3, nothing on standard input, output and error,
/// no blocked or ignored signals, and a process group of its own, so that a Ctrl-C is not for it.
/// `arguments` ends with NULL. 0, or the error.
int platform_start_confined(const char *path, char *const arguments[], int socket, int *process);

/// Waits for the end of a child without taking its number away from it. 0, or -1 where it is no
/// child of ours.
int platform_wait_for_exit(int process);

/// Takes the number of a child that has ended away: its exit status, 256 and the signal that ended
/// it, or -1.
int platform_take_exit_status(int process);

/// Closes every descriptor from `first` on.
void platform_close_from(int first);

/// Makes the calling process die with the thread that started it; -1 where `parent` is gone
/// already.
int platform_die_with_parent(int parent);

/// The limits of a decoder process.
struct platform_limits {
    uint64_t memory_bytes;
    uint64_t cpu_seconds;
    uint64_t open_files;
};

/// Sets them for the calling process, which leaves no core and can make no file longer, no memory
/// file either: their pages are not counted as `memory_bytes`. 0, or -1 with errno set.
int platform_limit_process(const struct platform_limits *limits);

/// Lets the calling process keep up to 16 MiB of freed memory for the next image: giving it back
/// and taking it again costs more than decoding a small one.
void platform_keep_freed_memory(void);

/// Returns the freed memory of the calling process to the system, before a long wait.
void platform_return_freed_memory(void);

/// Has every later allocation of the calling process filled with zeros, where the C library can:
/// for codecs that leave parts of an image unwritten.
void platform_zero_allocations(void);

enum {
    /// System calls are filtered.
    PLATFORM_FILTERED = 1,
    /// Landlock denies every file, TCP port and foreign process.
    PLATFORM_LANDLOCKED = 2,
};

/// Forbids every access to files that the kernel's version of Landlock knows, for the calling
/// thread and those that it starts. The version; 0 where there is none; -1 with errno set.
int platform_forbid_files(void);

/// Confines the calling process with all its threads: no new privileges, no files, and no system
/// calls but those that computing on memory and talking over open descriptors need. Some that
/// libraries merely try fail; any other ends the process, which first sends its number over
/// `report_socket`, as `platform_violation` describes. The `PLATFORM_…` bits that hold, none where
/// the kernel has neither; -1 with errno set.
int platform_confine_process(int report_socket);

/// The message that a confined process sends before it ends: four bytes of length, a 2, and eight
/// bytes, lowest first, for the number of the system call.
enum { platform_violation_length = 13, platform_violation_tag = 2, platform_violation_status = 73 };

/// The name of a system call, NULL for those that no decoder is likely to make.
const char *platform_system_call_name(int number);

/// Whether this was built with a sanitizer, whose runtime needs more memory and calls than a
/// confined process has.
int platform_is_sanitized(void);

/// Processor time of the process so far, in seconds.
double platform_process_cpu_seconds(void);

/// The file that this code was loaded from: the program, or the shared library. NULL where that is
/// not known.
const char *platform_loaded_path(void);
