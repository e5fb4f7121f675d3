#ifndef CLINUX_DESCENDANTS_H
#define CLINUX_DESCENDANTS_H

#include <stdbool.h>
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

/// What is looked into to see that a process and nothing else runs below another: open, for the same is asked again and
/// again.
struct clinux_only_child {
  pid_t id;
  /// The children of its parent, its own threads, and the children of its first one.
  int siblings, threads, children;
};

/// Opens what is looked into. The parent has one thread, and gets every orphan below it. False where it cannot be looked
/// into; nothing is open then.
bool clinux_only_child_open(struct clinux_only_child *child, pid_t parent, pid_t id);

/// Whether nothing but the process runs below its parent. False also where that takes a longer look.
bool clinux_is_only_child(const struct clinux_only_child *child);

void clinux_only_child_close(const struct clinux_only_child *child);

/// Writes what a process was started as, its words apart by spaces; its short name where it has no words.
void clinux_describe(pid_t process, char *text, size_t room);

/// The present in clock ticks since the start of the machine.
unsigned long long clinux_now(void);

#endif
