#ifndef CLINUX_FOLDERS_H
#define CLINUX_FOLDERS_H

#include <dirent.h>
#include <sys/types.h>

/// The name of a folder's entry, without a copy. Swift would read all 256 bytes of the declared array, although the
/// memory of an entry ends with its name.
static inline const char *clinux_entry_name(const struct dirent *entry) { return entry->d_name; }

/// Opens a folder below another folder. Does not follow a link in the last part of the name. Returns a descriptor, or
/// -1 with errno.
///
/// Opens the folder even if its mode forbids this, and makes it accessible to its owner.
int clinux_open_folder(int parent, const char *name);

/// Like `clinux_open_folder`, but does not open a mount: returns -1 with errno EXDEV if a mount covers the folder.
int clinux_open_own_folder(int parent, const char *name);

/// Opens a file below a folder for writing, and creates a missing file. Does not follow a link. Returns -1 with errno.
int clinux_create_file(int folder, const char *name, int flags, mode_t mode);

/// Opens a regular file below a folder for reading. Neither the last part of the folder's path nor the file may be a
/// link, and the name must not contain `/`. Returns -1 with errno: ELOOP for a link, EINVAL for a file of any other
/// kind.
int clinux_open_regular(const char *folder, const char *name);

/// Removes a name below a folder. A folder is removed with all its contents, at any depth and with any mode. A link is
/// removed, but not its target. A mount stays, with all its contents. Returns 0, also if the name does not exist, or an
/// errno.
int clinux_remove(int parent, const char *name);

/// Removes all contents of a folder except mounts. Returns 0, or an errno.
int clinux_empty_folder(int folder);

/// Locks a file or a folder as long as the descriptor is open. Returns 0, or -1 with errno; EWOULDBLOCK if another
/// process has the lock.
int clinux_lock(int file);

#endif
