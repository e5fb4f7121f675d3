#define _GNU_SOURCE
#include "pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// The interval between two looks for a writer, in milliseconds.
enum { look = 20 };

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int clinux_open_input(const char *path) { return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); }

/// Whether this is a pipe that no process has opened for writing since it was opened here. A pipe whose writer has
/// closed it is hung up instead, and so is the pipe of a command in `<(…)`.
static bool is_unattended(int file) {
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISFIFO(status.st_mode)) return false;
  struct pollfd entry = {file, POLLIN, 0};
  return poll(&entry, 1, 0) == 0;
}

ssize_t clinux_read_input(int file, void *bytes, size_t room, bool is_first) {
  long long end = milliseconds() + clinux_pipe_patience * 1000;
  while (true) {
    ssize_t count = read(file, bytes, room);
    if (count > 0) return count;
    struct pollfd entry = {file, POLLIN, 0};
    if (count < 0) {
      if (errno != EAGAIN && errno != EINTR) return -1;
      // There is a writer, and it may take any time.
      poll(&entry, 1, -1);
      continue;
    }
    if (!is_first || !is_unattended(file)) {
      // Bytes that were written between the read and this look do not end the input, so the pipe is read again.
      count = read(file, bytes, room);
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      return count;
    }
    if (milliseconds() > end) {
      errno = ETIMEDOUT;
      return -1;
    }
    poll(&entry, 1, look);
  }
}

bool clinux_takes_bytes(int file, int most) {
  struct pollfd entry = {file, POLLOUT, 0};
  return poll(&entry, 1, most) != 0;
}
