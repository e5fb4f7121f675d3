#ifndef CLINUX_DESCENDANTS_H
#define CLINUX_DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// A process as /proc describes it.
struct clinux_process {
  pid_t id;
  /// The start of the process, in clock ticks since the start of the machine.
  unsigned long long begun;
};

/// Finds the descendants of a process that still run, children before their own children. Returns their number, which
/// is at most `room`. Source: proc(5), "/proc/pid/task/tid/children"; a kernel without that file needs "/proc/pid/stat"
/// of all processes.
int clinux_descendants(pid_t root, struct clinux_process *found, int room);

/// Finds the children of a process that still run. Returns their number, which is at most `room`.
int clinux_children(pid_t parent, struct clinux_process *found, int room);

/// The open files that show whether a process is the only one below its parent. They stay open, because the kit asks
/// often.
struct clinux_only_child {
  pid_t id;
  /// The list of the parent's children, the list of the process's threads, and the list of the children of its first
  /// thread.
  int siblings, threads, children;
};

/// Opens the files for a process. The parent must have one thread, and must get every orphan below it. Returns false if
/// a file cannot be opened; no file is open then.
bool clinux_only_child_open(struct clinux_only_child *child, pid_t parent, pid_t id);

/// Whether the process is the only one that runs below its parent. Also false if a quick look cannot decide this.
bool clinux_is_only_child(const struct clinux_only_child *child);

void clinux_only_child_close(const struct clinux_only_child *child);

/// Writes the command line of a process, with spaces between its words. A process without a command line is described
/// by its short name.
void clinux_describe(pid_t process, char *text, size_t room);

/// The present time, in clock ticks since the start of the machine.
unsigned long long clinux_now(void);

#endif
