#ifndef CLINUX_FORK_SERVER_H
#define CLINUX_FORK_SERVER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A fork server begins programs for the kit, each below a supervisor of its own. Whatever a program starts, however it
// forks and whichever session it enters, stays below its supervisor, which is a child subreaper (prctl(2)). When the
// kit asks for it, or is gone, the supervisor kills all of it. Neither runs Swift: they are forks of the kit. Of a
// supervisor below which nothing is left the kit may ask for the next program, which costs no fork of one.

/// What a supervisor says first of a program: how it began.
struct clinux_begun {
  /// 0, or why it did not begin.
  int32_t error;
  int32_t program;
  int32_t supervisor;
};

/// What a supervisor says last of a program, before `length` bytes of text that name what it left behind, one a line.
struct clinux_ended {
  /// As waitpid(2) gives it; -1 when it could not be had.
  int32_t status;
  /// How many processes outlived all that was done to end them.
  int32_t survivors;
  /// Whether it can be asked for another program, since nothing is below it; else it is gone.
  int32_t is_free;
  uint32_t length;
};

/// Asks a supervisor for the end: the program is over, and what it started gets a moment to end too.
static const char clinux_ask_end = 'E';
/// Asks a supervisor to end everything at once, and for no names.
static const char clinux_ask_kill = 'K';

/// Forks the server: its process id, and in `socket` where it is asked; -1 with errno. It ends with the socket.
pid_t clinux_fork_server_start(int *socket);

/// Asks the server for a program below a new supervisor, or a supervisor that is free for one below itself.
///
/// `request` is made of texts that end with NUL: the path, the folder ("" for that of the kit), then `words` words and
/// `variables` variables. `streams` become its descriptors 0, 1 and 2; `control` is the new supervisor's side of a socket,
/// -1 for one that has it. 0, or an errno.
int clinux_ask_for_program(
    int socket, const char *request, size_t length, uint32_t words, uint32_t variables, const int streams[3],
    int control);

/// Makes orphans among the descendants of this process its children; 0, or -1 with errno.
int clinux_adopt_orphans(void);

#endif
