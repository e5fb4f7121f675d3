#ifndef CLINUX_FOLDERS_H
#define CLINUX_FOLDERS_H

#include <dirent.h>
#include <sys/types.h>

/// The name of an entry, where it stands: Swift would take the array that it is declared as for all of its 256 bytes,
/// and an entry ends with its name.
static inline const char *clinux_entry_name(const struct dirent *entry) { return entry->d_name; }

/// Opens a folder below another without following a link in its last part: a descriptor, or -1 with errno.
///
/// It is opened whatever its mode is, and made accessible to its owner.
int clinux_open_folder(int parent, const char *name);

/// Opens a folder like `clinux_open_folder`, but no mount: -1 with errno EXDEV where one covers it.
int clinux_open_own_folder(int parent, const char *name);

/// Opens a file below a folder for writing, made where it is not there; a link is not followed. -1 with errno.
int clinux_create_file(int folder, const char *name, int flags, mode_t mode);

/// Opens a regular file below a folder for reading. Neither the last part of the folder's path nor the file may be a
/// link, and the name has no `/`. -1 with errno: ELOOP for a link, EINVAL for a file of another kind.
int clinux_open_regular(const char *folder, const char *name);

/// Removes a name below a folder, a folder with all that is in it, however deep that is and whatever its modes are. A
/// link is removed, not what it leads to; a mount stays, with all that is in it. 0 also where nothing has that name; else an errno.
int clinux_remove(int parent, const char *name);

/// Removes all that is in a folder, but for mounts. 0, or an errno.
int clinux_empty_folder(int folder);

/// Locks a file or a folder for as long as the descriptor is open; 0, or -1 with errno EWOULDBLOCK where another
/// process has it.
int clinux_lock(int file);

#endif
