#define _GNU_SOURCE
#include "folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int clinux_open_folder(int parent, const char *name) {
  int place = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (place < 0) return -1;
  int folder = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat status;
  if (folder < 0 || (fstat(folder, &status) == 0 && (status.st_mode & 0700) != 0700)) {
    // A place has no mode that fchmod would change, but its entry below /proc has.
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", place);
    chmod(path, 0700);
    if (folder < 0) folder = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  int error = errno;
  close(place);
  errno = error;
  return folder;
}

int clinux_create_file(int folder, const char *name, int flags, mode_t mode) {
  return openat(folder, name, flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode);
}

int clinux_lock(int file) { return flock(file, LOCK_EX | LOCK_NB); }

static DIR *read_folder(int folder) {
  int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *names = copy < 0 ? NULL : fdopendir(copy);
  if (!names && copy >= 0) close(copy);
  return names;
}

static bool is_own_name(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

/// Removes what is no folder, or an empty one: 0, or an errno.
static int remove_shallow(int folder, const char *name) {
  if (unlinkat(folder, name, 0) == 0 || errno == ENOENT) return 0;
  int error = errno;
  if (error != EISDIR && error != EPERM) return error;
  if (unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return 0;
  return errno == ENOTDIR ? error : errno;
}

/// Moves a folder up into another under a name that is free there: 0, or an errno.
///
/// A folder that lies deep becomes one that lies at the top, so that no depth needs as many open files or as much stack.
static int hoist(int folder, const char *name, int top) {
  static unsigned long long last;
  // Its entry for its parent changes, so it must be writable itself.
  int child = clinux_open_folder(folder, name);
  if (child < 0) return errno;
  close(child);
  while (true) {
    char free_name[40];
    snprintf(free_name, sizeof free_name, "~%llu", __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED));
    if (renameat(folder, name, top, free_name) == 0) return 0;
    if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR) return errno;
  }
}

/// Removes what is in a folder, but for folders that are not empty, which are moved to the top: 0, or an errno.
static int flatten(int folder, int top) {
  DIR *names = read_folder(folder);
  if (!names) return errno;
  int failure = 0;
  struct dirent *entry;
  while ((entry = readdir(names))) {
    if (is_own_name(entry->d_name)) continue;
    int error = remove_shallow(folder, entry->d_name);
    if (error == ENOTEMPTY || error == EEXIST) error = hoist(folder, entry->d_name, top);
    if (error) failure = error;
  }
  closedir(names);
  return failure;
}

/// Removes what lies at the top once: how many names were there, or -1 with errno.
static int remove_once(int top, int *failure) {
  DIR *names = read_folder(top);
  if (!names) return -1;
  int count = 0;
  struct dirent *entry;
  while ((entry = readdir(names))) {
    if (is_own_name(entry->d_name)) continue;
    count++;
    int error = remove_shallow(top, entry->d_name);
    if (error == ENOTEMPTY || error == EEXIST) {
      int folder = clinux_open_folder(top, entry->d_name);
      if (folder >= 0) {
        error = flatten(folder, top);
        close(folder);
        if (!error) error = remove_shallow(top, entry->d_name);
      } else {
        error = errno;
      }
    }
    if (error) *failure = error;
  }
  closedir(names);
  return count;
}

int clinux_empty_folder(int top) {
  // A process that still runs may go on writing, but not for ever.
  for (int futile = 0; futile < 100;) {
    int failure = 0;
    int count = remove_once(top, &failure);
    if (count < 0) return errno;
    if (count == 0) return 0;
    if (!failure) continue;
    futile++;
    if (futile == 100) return failure;
  }
  return ENOTEMPTY;
}

int clinux_remove(int parent, const char *name) {
  int error = remove_shallow(parent, name);
  if (error != ENOTEMPTY && error != EEXIST) return error;
  int folder = clinux_open_folder(parent, name);
  if (folder < 0) return errno;
  error = clinux_empty_folder(folder);
  close(folder);
  return error ? error : remove_shallow(parent, name);
}
