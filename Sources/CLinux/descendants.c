#define _GNU_SOURCE
#include "descendants.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// The needed values of /proc/<id>/stat.
struct stat_line {
  char state;
  pid_t parent;
  int threads;
  unsigned long long begun;
};

static ssize_t read_file(const char *path, char *text, size_t room) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  size_t length = 0;
  ssize_t piece;
  while (length < room - 1 && (piece = read(file, text + length, room - 1 - length)) > 0) length += (size_t)piece;
  close(file);
  text[length] = 0;
  return (ssize_t)length;
}

static bool read_stat(pid_t id, struct stat_line *line) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", id);
  if (read_file(path, text, sizeof text) <= 0) return false;
  // The name of a process may contain any characters, also brackets and spaces. The other values follow the last
  // bracket.
  const char *rest = strrchr(text, ')');
  if (!rest) return false;
  int parent = 0;
  int read = sscanf(
      rest + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d %*d %llu", &line->state, &parent,
      &line->threads, &line->begun);
  line->parent = parent;
  return read == 4;
}

/// Whether a process has a single thread. The list of its threads is a folder, and each thread adds one link to that
/// folder.
static bool has_one_thread(pid_t id) {
  char path[64];
  struct stat status;
  snprintf(path, sizeof path, "/proc/%d/task", id);
  return stat(path, &status) == 0 && status.st_nlink == 3;
}

/// Whether a process is dead and only waits to be collected. A process whose first thread has ended looks the same, but
/// lives as long as another of its threads lives.
static bool is_dead(const struct stat_line *line) {
  return line->state == 'X' || (line->state == 'Z' && line->threads <= 1);
}

static bool is_known(const struct clinux_process *found, int count, pid_t id) {
  for (int i = 0; i < count; i++)
    if (found[i].id == id) return true;
  return false;
}

/// Adds a process that runs. Leaves out a dead process, which can do no harm.
static int add(struct clinux_process *found, int count, int room, pid_t id, const struct stat_line *line) {
  if (count >= room || is_dead(line) || is_known(found, count, id)) return count;
  found[count] = (struct clinux_process){id, line->begun};
  return count + 1;
}

/// Adds the children that the kernel lists for a thread. Returns -1 if the kernel keeps no such list.
static int add_of_thread(
    pid_t parent, const char *thread, struct clinux_process *found, int count, int room) {
  char path[96], text[16384];
  snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", parent, thread);
  if (read_file(path, text, sizeof text) < 0) {
    bool is_missing = errno == ENOENT;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", parent, thread);
    return is_missing && access(path, F_OK) == 0 ? -1 : count;
  }
  char *next = text, *end;
  long id;
  struct stat_line line;
  // A space follows each complete id. An id without a space was cut off, and would be the id of another process.
  for (; id = strtol(next, &end, 10), end != next && *end == ' '; next = end)
    if (read_stat((pid_t)id, &line)) count = add(found, count, room, (pid_t)id, &line);
  return count;
}

/// Adds the children of a process from the lists of its threads. Returns -1 if the kernel keeps no such lists.
static int add_listed(pid_t parent, struct clinux_process *found, int count, int room) {
  char path[64];
  if (has_one_thread(parent)) {
    snprintf(path, sizeof path, "%d", parent);
    return add_of_thread(parent, path, found, count, room);
  }
  snprintf(path, sizeof path, "/proc/%d/task", parent);
  DIR *threads = opendir(path);
  if (!threads) return count;
  struct dirent *thread;
  while (count >= 0 && (thread = readdir(threads)))
    if (thread->d_name[0] != '.') count = add_of_thread(parent, thread->d_name, found, count, room);
  closedir(threads);
  return count;
}

/// Adds the children of a process, after it has read the parent of every process.
static int add_scanned(pid_t parent, struct clinux_process *found, int count, int room) {
  DIR *processes = opendir("/proc");
  if (!processes) return count;
  struct dirent *entry;
  while ((entry = readdir(processes))) {
    pid_t id = (pid_t)atoi(entry->d_name);
    struct stat_line line;
    if (id > 0 && read_stat(id, &line) && line.parent == parent) count = add(found, count, room, id, &line);
  }
  closedir(processes);
  return count;
}

static int add_children(pid_t parent, struct clinux_process *found, int count, int room) {
  int listed = add_listed(parent, found, count, room);
  return listed >= 0 ? listed : add_scanned(parent, found, count, room);
}

int clinux_children(pid_t parent, struct clinux_process *found, int room) {
  return add_children(parent, found, 0, room);
}

int clinux_descendants(pid_t root, struct clinux_process *found, int room) {
  int count = 0;
  pid_t parent = root;
  for (int next = 0;; next++) {
    count = add_children(parent, found, count, room);
    if (next >= count) return count;
    parent = found[next].id;
  }
}

static int open_children(pid_t id) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", id, id);
  return open(path, O_RDONLY | O_CLOEXEC);
}

bool clinux_only_child_open(struct clinux_only_child *child, pid_t parent, pid_t id) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", id);
  *child = (struct clinux_only_child){
      .id = id,
      .siblings = open_children(parent),
      .threads = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
      .children = open_children(id)};
  if (child->siblings >= 0 && child->threads >= 0 && child->children >= 0) return true;
  clinux_only_child_close(child);
  return false;
}

bool clinux_is_only_child(const struct clinux_only_child *child) {
  char text[32], expected[32];
  struct stat status;
  // The children of the process are read before the children of its parent. A process that loses its own parent in the
  // meantime moves to the list of the latter, and is seen there.
  if (pread(child->children, text, sizeof text, 0) != 0) return false;
  if (fstat(child->threads, &status) != 0 || status.st_nlink != 3) return false;
  ssize_t length = pread(child->siblings, text, sizeof text, 0);
  return length == snprintf(expected, sizeof expected, "%d ", child->id) && memcmp(text, expected, (size_t)length) == 0;
}

void clinux_only_child_close(const struct clinux_only_child *child) {
  if (child->siblings >= 0) close(child->siblings);
  if (child->threads >= 0) close(child->threads);
  if (child->children >= 0) close(child->children);
}

void clinux_describe(pid_t process, char *text, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/cmdline", process);
  ssize_t length = read_file(path, text, room);
  if (length <= 0) {
    snprintf(path, sizeof path, "/proc/%d/comm", process);
    length = read_file(path, text, room);
  }
  if (length < 0) length = 0;
  while (length > 0 && (text[length - 1] == 0 || text[length - 1] == '\n')) length--;
  for (ssize_t i = 0; i < length; i++)
    if ((unsigned char)text[i] < 0x20) text[i] = ' ';
  text[length] = 0;
}

unsigned long long clinux_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  unsigned long long ticks = (unsigned long long)sysconf(_SC_CLK_TCK);
  return (unsigned long long)now.tv_sec * ticks + (unsigned long long)now.tv_nsec * ticks / 1000000000ULL;
}
