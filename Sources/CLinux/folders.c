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
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_openat2
#define SYS_openat2 437
#endif

/// The argument of openat2(2), which older headers do not have.
struct place_to_open {
  unsigned long long flags, mode, resolve;
};

/// RESOLVE_NO_XDEV of openat2(2): does not enter a mount, even if it is of the same file system.
enum { resolve_no_mount = 0x01 };

/// Opens a folder below another folder. Does not follow a link. Enters a mount only if `enters_mounts` is true. Returns
/// -1 with errno, which is EXDEV for a mount.
static int open_below(int parent, const char *name, int flags, bool enters_mounts) {
  flags |= O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  if (enters_mounts) return openat(parent, name, flags);
  struct place_to_open place = {.flags = (unsigned long long)flags, .resolve = resolve_no_mount};
  int folder = (int)syscall(SYS_openat2, parent, name, &place, sizeof place);
  if (folder >= 0 || (errno != ENOSYS && errno != EPERM)) return folder;
  // Linux has openat2 since 5.6, and some containers forbid it. Then a different device shows that the folder is a
  // mount.
  folder = openat(parent, name, flags);
  struct stat own, found;
  if (folder < 0 || (fstat(parent, &own) == 0 && fstat(folder, &found) == 0 && own.st_dev == found.st_dev)) return folder;
  close(folder);
  errno = EXDEV;
  return -1;
}

/// Opens a folder below another folder although its mode forbids this, because its owner may change the mode. Returns a
/// descriptor, or -1 with errno.
static int open_closed_folder(int parent, const char *name, bool enters_mounts) {
  int place = open_below(parent, name, O_PATH, enters_mounts);
  if (place < 0) return -1;
  // fchmod does not work with a descriptor of O_PATH, but chmod works with its entry below /proc.
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", place);
  chmod(path, 0700);
  int folder = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int error = errno;
  close(place);
  errno = error;
  return folder;
}

static int open_accessible(int parent, const char *name, bool enters_mounts) {
  int folder = open_below(parent, name, O_RDONLY, enters_mounts);
  if (folder < 0) return errno == EACCES ? open_closed_folder(parent, name, enters_mounts) : -1;
  struct stat status;
  if (fstat(folder, &status) == 0 && (status.st_mode & 0700) != 0700) fchmod(folder, 0700);
  return folder;
}

int clinux_open_folder(int parent, const char *name) { return open_accessible(parent, name, true); }

int clinux_open_own_folder(int parent, const char *name) { return open_accessible(parent, name, false); }

int clinux_create_file(int folder, const char *name, int flags, mode_t mode) {
  return openat(folder, name, flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode);
}

int clinux_open_regular(const char *folder, const char *name) {
  int place = open(folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (place < 0) return -1;
  // Opens without waiting, because the name may be the name of a pipe.
  int file = openat(place, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  int error = errno;
  close(place);
  struct stat status;
  if (file >= 0 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
    close(file);
    file = -1;
    error = EINVAL;
  }
  errno = error;
  return file;
}

int clinux_lock(int file) { return flock(file, LOCK_EX | LOCK_NB); }

/// The names in an open folder, read by a system call. A stream of readdir(3) would need a descriptor of its own.
struct names {
  int folder;
  ssize_t length, next;
  _Alignas(struct dirent64) char entries[16 << 10];
};

static bool begin_names(struct names *names, int folder) {
  names->folder = folder;
  names->length = names->next = 0;
  return lseek(folder, 0, SEEK_SET) == 0;
}

/// The next name; NULL at the end, or if the names cannot be read.
static const struct dirent64 *next_name(struct names *names) {
  while (true) {
    if (names->next >= names->length) {
      names->length = getdents64(names->folder, names->entries, sizeof names->entries);
      names->next = 0;
      if (names->length <= 0) return NULL;
    }
    const struct dirent64 *entry = (const struct dirent64 *)(names->entries + names->next);
    names->next += entry->d_reclen;
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) return entry;
  }
}

/// Removes an empty folder, or anything that is not a folder. First tries the kind that the name seems to have. Returns
/// 0, or an errno.
static int remove_shallow(int parent, const char *name, bool seems_folder) {
  int first = seems_folder ? AT_REMOVEDIR : 0;
  if (unlinkat(parent, name, first) == 0 || errno == ENOENT) return 0;
  int error = errno;
  // To unlink a folder, some systems report the same error as for a name that must not be removed.
  bool is_other = seems_folder ? error == ENOTDIR : error == EISDIR || error == EPERM;
  if (!is_other) return error;
  if (unlinkat(parent, name, first ^ AT_REMOVEDIR) == 0 || errno == ENOENT) return 0;
  return errno == ENOTDIR ? error : errno;
}

static bool is_full(int error) { return error == ENOTEMPTY || error == EEXIST; }

/// Moves a folder to another folder (the top), under a name that is free there. Returns 0, or an errno.
///
/// A deep folder thereby becomes a folder directly below the top. So folders of any depth can be removed with few open
/// files and a small stack.
static int hoist(int folder, const char *name, int top) {
  static unsigned long long last;
  // The move changes the folder's entry for its parent, so the folder itself must be writable.
  int child = clinux_open_own_folder(folder, name);
  if (child < 0) return errno;
  close(child);
  while (true) {
    char free_name[40];
    snprintf(free_name, sizeof free_name, "~%llu", __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED));
    if (renameat(folder, name, top, free_name) == 0) return 0;
    if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR) return errno;
  }
}

/// Removes the contents of a folder, but moves each folder that is not empty to the top. Returns 0, or an errno.
static int flatten(int folder, int top) {
  struct names names;
  if (!begin_names(&names, folder)) return errno;
  int failure = 0;
  const struct dirent64 *entry;
  while ((entry = next_name(&names))) {
    int error = remove_shallow(folder, entry->d_name, entry->d_type == DT_DIR);
    if (is_full(error)) error = hoist(folder, entry->d_name, top);
    if (error) failure = error;
  }
  return failure;
}

/// Removes a folder directly below the top that is not empty, and its contents. Returns 0, or an errno.
static int remove_full(int top, const char *name) {
  int folder = clinux_open_own_folder(top, name);
  if (folder < 0) return errno;
  int error = flatten(folder, top);
  close(folder);
  return error ? error : remove_shallow(top, name, true);
}

/// Tries once to remove each name in the top. Returns the number of names that were there, or -1 with errno.
static int remove_once(int top, int *failure) {
  struct names names;
  if (!begin_names(&names, top)) return -1;
  int count = 0;
  const struct dirent64 *entry;
  while ((entry = next_name(&names))) {
    count++;
    int error = remove_shallow(top, entry->d_name, entry->d_type == DT_DIR);
    if (is_full(error)) error = remove_full(top, entry->d_name);
    if (error) *failure = error;
  }
  // A folder that has been removed itself contains no names.
  return names.length < 0 && errno != ENOENT ? -1 : count;
}

int clinux_empty_folder(int top) {
  // A process that still runs may write new files, but the attempts end at some time.
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

/// Removes an open folder that is not empty. Returns 0, or an errno.
static int remove_open(int folder, int parent, const char *name) {
  // One pass usually removes everything. If the folder can then be removed, nothing was left.
  int failure = 0;
  if (remove_once(folder, &failure) > 0 && !failure) {
    int error = remove_shallow(parent, name, true);
    if (!is_full(error)) return error;
  }
  int error = clinux_empty_folder(folder);
  return error ? error : remove_shallow(parent, name, true);
}

int clinux_remove(int parent, const char *name) {
  int error = remove_shallow(parent, name, true);
  if (!is_full(error)) return error;
  int folder = clinux_open_own_folder(parent, name);
  if (folder < 0) return errno;
  error = remove_open(folder, parent, name);
  close(folder);
  return error;
}
