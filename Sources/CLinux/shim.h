#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

// What Linux has beyond POSIX and Swift's Glibc module leaves out: variadic functions, and all that <…> declares for
// _GNU_SOURCE only.

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *folder);
extern long syscall(long number, ...);
extern int malloc_trim(size_t kept);

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

/// POLLRDHUP: the other side of a socket has ended; see poll(2).
static const short clinux_poll_peer_ended = 0x2000;

/// POSIX_SPAWN_SETSID: the child leads a new session.
static const short clinux_spawn_setsid = 0x80;

/// A descriptor that becomes readable when the process ends, or -1 with errno; closed on exec (Linux 5.3).
static inline int clinux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/// Makes orphans among the descendants of this process its children, so that it can wait for them; 0, or -1 with errno.
static inline int clinux_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

#endif
