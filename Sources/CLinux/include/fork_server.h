#ifndef CLINUX_FORK_SERVER_H
#define CLINUX_FORK_SERVER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A fork server starts programs for the kit, each below its own supervisor. A supervisor is a child subreaper
// (prctl(2)). So every process that a program starts stays below the supervisor, however it forks and whichever session
// it enters. The supervisor kills all of these processes when the kit asks for it or has ended. The server and the
// supervisors run no Swift, because they are forks of the kit. If no process is left below a supervisor, the kit may
// ask it for the next program, which saves the fork of a supervisor.

/// The first message of a supervisor about a program: the result of the start.
struct clinux_begun {
  /// 0, or the errno of the failed start.
  int32_t error;
  int32_t program;
  int32_t supervisor;
};

/// The last message of a supervisor about a program. It is followed by `length` bytes of text: the names of the
/// processes that the program left behind, one on each line.
struct clinux_ended {
  /// The status from waitpid(2); -1 if the supervisor could not get it.
  int32_t status;
  /// The number of processes that survived every attempt to end them.
  int32_t survivors;
  /// Whether the supervisor accepts another program, since no process is left below it. Otherwise the supervisor has
  /// ended.
  int32_t is_free;
  uint32_t length;
};

/// Asks a supervisor for the end: the program is over, and the processes that it started get a short time to end by
/// themselves.
static const char clinux_ask_end = 'E';
/// Asks a supervisor to end all processes at once, without a report of their names.
static const char clinux_ask_kill = 'K';

/// Forks the server. Returns its process id, and in `socket` the socket for requests; or -1 with errno. The server ends
/// when the socket is closed.
pid_t clinux_fork_server_start(int *socket);

/// Asks the server for a program below a new supervisor, or asks a free supervisor for a program below itself.
///
/// `request` consists of texts that end with NUL: the path, the folder ("" for the kit's folder), then `words` words
/// and `variables` variables. `streams` become the descriptors 0, 1 and 2 of the program. `control` is the new
/// supervisor's side of a socket; it is -1 for a supervisor that already has one. Returns 0, or an errno.
int clinux_ask_for_program(
    int socket, const char *request, size_t length, uint32_t words, uint32_t variables, const int streams[3],
    int control);

/// Makes this process the parent of orphans among its descendants. Returns 0, or -1 with errno.
int clinux_adopt_orphans(void);

#endif
