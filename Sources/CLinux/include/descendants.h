#ifndef CLINUX_DESCENDANTS_H
#define CLINUX_DESCENDANTS_H

#include <stddef.h>
#include <sys/types.h>

/// A process as /proc shows it.
struct clinux_process {
  pid_t id;
  /// When it began, in clock ticks since the start of the machine.
  unsigned long long begun;
};

/// The processes below this one that still run, children before their children: how many, at most as many as there is
/// room for. Source: proc(5), "/proc/pid/task/tid/children", where the kernel has it, else "/proc/pid/stat" of all.
int clinux_descendants(pid_t root, struct clinux_process *found, int room);

/// The children of a process that still run: how many, at most as many as there is room for.
int clinux_children(pid_t parent, struct clinux_process *found, int room);

/// Writes what a process was started as, its words apart by spaces; its short name where it has no words.
void clinux_describe(pid_t process, char *text, size_t room);

/// The present in clock ticks since the start of the machine.
unsigned long long clinux_now(void);

#endif
