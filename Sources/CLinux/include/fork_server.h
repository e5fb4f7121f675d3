#ifndef CLINUX_FORK_SERVER_H
#define CLINUX_FORK_SERVER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A fork server begins programs for the kit, each below a supervisor of its own. Whatever a program starts, however it
// forks and whichever session it enters, stays below its supervisor, which is a child subreaper (prctl(2)). When the
// kit asks for it, or is gone, the supervisor kills all of it. Neither runs Swift: they are forks of the kit.

/// What a supervisor says first: how the program began.
struct clinux_begun {
  /// 0, or why it did not begin.
  int32_t error;
  int32_t program;
  int32_t supervisor;
};

/// What a supervisor says last, before `length` bytes of text that name what the program left behind, one a line.
struct clinux_ended {
  /// As waitpid(2) gives it; -1 when it could not be had.
  int32_t status;
  /// How many processes outlived all that was done to end them.
  int32_t survivors;
  uint32_t length;
};

/// Asks a supervisor to end: the program is over, and what it started gets a moment to end too.
static const char clinux_ask_end = 'E';
/// Asks a supervisor to end everything at once.
static const char clinux_ask_kill = 'K';

/// Forks the server: its process id, and in `socket` where it is asked; -1 with errno. It ends with the socket.
pid_t clinux_fork_server_start(int *socket);

/// Asks for a program.
///
/// `request` is made of texts that end with NUL: the path, the folder ("" for that of the kit), then `words` words and
/// `variables` variables. `streams` become its descriptors 0, 1 and 2; `control` is the supervisor's side of a socket.
/// 0, or an errno.
int clinux_fork_server_ask(
    int socket, const char *request, size_t length, uint32_t words, uint32_t variables, const int streams[3],
    int control);

/// Makes orphans among the descendants of this process its children; 0, or -1 with errno.
int clinux_adopt_orphans(void);

#endif
