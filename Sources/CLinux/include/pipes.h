#ifndef CLINUX_PIPES_H
#define CLINUX_PIPES_H

#include <stdbool.h>
#include <sys/types.h>

// A file that somebody names may be a pipe, at whose other end nobody need ever be: open(2), read(2) and write(2) would
// then keep the kit for ever, signals or not.

/// How long somebody is waited for at the other end of a pipe, in seconds.
enum { clinux_pipe_patience = 10 };

/// Opens a file for reading, a pipe also where nobody writes to it: a descriptor, or -1 with errno.
int clinux_open_input(const char *path);

/// Reads from a file that was opened so, as read(2) does, and waits where whoever writes to it is slow. Before the first
/// bytes (`is_first`) the end of a pipe that nobody has opened for writing yet is waited at. -1 with errno, which is
/// ETIMEDOUT where nobody came.
ssize_t clinux_read_input(int file, void *bytes, size_t room, bool is_first);

/// Waits until a file takes bytes, at most so many milliseconds; whether it does, or has failed.
///
/// After that a pipe takes 512 bytes at once; see pipe(7), PIPE_BUF.
bool clinux_takes_bytes(int file, int milliseconds);

#endif
