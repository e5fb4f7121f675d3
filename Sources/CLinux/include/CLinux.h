#ifndef CLINUX_H
#define CLINUX_H

// Functions of Linux that are not in POSIX and that Swift's Glibc module lacks: variadic functions, declarations that
// need _GNU_SOURCE, and the code of forked processes, which must not run Swift.

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "descendants.h"
#include "folders.h"
#include "fork_server.h"
#include "pipes.h"

extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *folder);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern long syscall(long number, ...);
extern int malloc_trim(size_t kept);
extern void *memmem(const void *bytes, size_t count, const void *part, size_t part_count);

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

/// The value of POLLRDHUP. It reports that the other side of a socket has ended its output; see poll(2).
static const short clinux_poll_peer_ended = 0x2000;

/// Returns a descriptor that becomes readable when the process ends, or -1 with errno. The descriptor is closed on exec
/// (Linux 5.3).
static inline int clinux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

#endif
