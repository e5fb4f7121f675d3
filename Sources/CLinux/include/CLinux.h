#ifndef CLINUX_H
#define CLINUX_H

// What Linux has beyond POSIX and Swift's Glibc module leaves out: variadic functions, all that <…> declares for
// _GNU_SOURCE only, and the processes that must not run Swift because they are forked.

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

/// POLLRDHUP: the other side of a socket has ended; see poll(2).
static const short clinux_poll_peer_ended = 0x2000;

/// A descriptor that becomes readable when the process ends, or -1 with errno; closed on exec (Linux 5.3).
static inline int clinux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

#endif
