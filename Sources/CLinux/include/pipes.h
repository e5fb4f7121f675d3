#ifndef CLINUX_PIPES_H
#define CLINUX_PIPES_H

#include <stdbool.h>
#include <sys/types.h>

// A file that a user names may be a pipe that no other process ever opens. Then open(2), read(2) and write(2) would
// block the kit for ever, even if a signal arrives.

/// The time for which the kit waits for a process at the other end of a pipe, in seconds.
enum { clinux_pipe_patience = 10 };

/// Opens a file for reading. A pipe is opened even if no process writes to it. Returns a descriptor, or -1 with errno.
int clinux_open_input(const char *path);

/// Reads from a file that `clinux_open_input` opened, as read(2) does, and waits for a slow writer. Before the first
/// bytes (`is_first`), it also waits at the end of a pipe that no process has opened for writing yet. Returns -1 with
/// errno; ETIMEDOUT if no process opened the pipe in time.
ssize_t clinux_read_input(int file, void *bytes, size_t room, bool is_first);

/// Waits until a file accepts bytes, for at most this number of milliseconds. Returns whether the file accepts bytes or
/// has failed.
///
/// A pipe then accepts PIPE_BUF bytes at once; see pipe(7).
bool clinux_takes_bytes(int file, int milliseconds);

#endif
