#define _GNU_SOURCE
#include "fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "descendants.h"

/// The time, in milliseconds, in which the processes that a program started may end by themselves after the program has
/// ended.
enum { grace = 250 };
/// The longest time until killed processes have ended, in milliseconds.
enum { kill_limit = 10000 };
/// The largest number of processes that one pass examines. The next pass examines the others.
enum { most_processes = 4096 };

struct request {
  uint32_t length;
  uint32_t words;
  uint32_t variables;
};

// MARK: - Both

int clinux_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool write_all(int file, const void *bytes, size_t length) {
  const char *next = bytes;
  while (length > 0) {
    ssize_t count = send(file, next, length, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    length -= (size_t)count;
  }
  return true;
}

static bool read_all(int file, void *bytes, size_t length) {
  char *next = bytes;
  while (length > 0) {
    ssize_t count = recv(file, next, length, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    length -= (size_t)count;
  }
  return true;
}

/// Keeps the first `count` descriptors of `kept` as 3, 4, …, and opens the null device as 0, 1 and 2.
///
/// No other descriptor of the kit may stay open here. Otherwise a reader of the kit's output would wait for the end of
/// this process, which it does not know.
static void keep_only(int *kept, int count) {
  for (int i = 0; i < count; i++) kept[i] = fcntl(kept[i], F_DUPFD, 8);
  int null = open("/dev/null", O_RDWR);
  for (int stream = 0; stream < 3; stream++) dup2(null, stream);
  for (int i = 0; i < count; i++) {
    dup2(kept[i], 3 + i);
    fcntl(3 + i, F_SETFD, FD_CLOEXEC);
    kept[i] = 3 + i;
  }
  long most = sysconf(_SC_OPEN_MAX);
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3 + count, ~0U, 0) == 0) return;
#endif
  for (int file = 3 + count; file < most; file++) close(file);
}

/// Returns a descriptor that reports changes of children and requests to end. No other signal that a terminal sends
/// ends the process.
static int take_signals(void) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  for (int number = 0; number < 4; number++) signal((int[]){SIGINT, SIGHUP, SIGPIPE, SIGQUIT}[number], SIG_IGN);
  sigset_t told;
  sigemptyset(&told);
  sigaddset(&told, SIGCHLD);
  sigaddset(&told, SIGTERM);
  sigprocmask(SIG_SETMASK, &told, NULL);
  return signalfd(-1, &told, SFD_NONBLOCK | SFD_CLOEXEC);
}

/// Reads the reports of the descriptor. Returns true if the process was asked to end.
static bool asked_to_end(int signals) {
  struct signalfd_siginfo told;
  bool is_asked = false;
  while (read(signals, &told, sizeof told) == sizeof told) is_asked |= told.ssi_signo == SIGTERM;
  return is_asked;
}

/// Receives a request with its descriptors; a missing descriptor is -1. The caller frees the returned text. Returns
/// NULL at the end.
static char *receive(int socket, struct request *request, int given[4]) {
  struct iovec part = {request, sizeof *request};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(4 * sizeof(int))];
  } ancillary;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
  ssize_t count;
  while ((count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL)) < 0 && errno == EINTR) {}
  if (count != sizeof *request) return NULL;
  for (int i = 0; i < 4; i++) given[i] = -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len <= CMSG_LEN(4 * sizeof(int)))
    memcpy(given, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
  char *text = malloc(request->length);
  if (!text || !read_all(socket, text, request->length)) {
    free(text);
    return NULL;
  }
  return text;
}

static void close_given(const int given[4]) {
  for (int i = 0; i < 4; i++)
    if (given[i] >= 0) close(given[i]);
}

// MARK: - Supervisor

struct supervisor {
  /// The parent of the supervisor. If the supervisor is killed, the server kills the processes that are left.
  pid_t server;
  /// The socket to the kit.
  int control;
  int signals;
  /// Whether the supervisor was asked to end, so that it accepts no other program.
  bool is_leaving;
};

static struct clinux_process processes[most_processes];

/// Waits until a child has changed or the time is over, but for 10 ms at most.
static void await_change(struct supervisor *self, long long rest) {
  struct pollfd entry = {self->signals, POLLIN, 0};
  poll(&entry, 1, rest < 10 ? (int)rest : 10);
  self->is_leaving |= asked_to_end(self->signals);
}

/// Writes one line for each process below this process except the program. Returns the number of written bytes.
static uint32_t name_leftovers(pid_t program, char *text, size_t room) {
  int count = clinux_descendants(getpid(), processes, most_processes);
  size_t length = 0;
  for (int i = 0; i < count && length + 512 < room; i++) {
    if (processes[i].id == program) continue;
    length += (size_t)snprintf(text + length, 24, "%d ", processes[i].id);
    clinux_describe(processes[i].id, text + length, 400);
    length += strlen(text + length);
    text[length++] = '\n';
  }
  return (uint32_t)length;
}

/// Collects the dead children except one, whose process id must stay reserved.
static void collect_others(pid_t program) {
  siginfo_t dead;
  // A zombie that stays would hide later ones from waitid, so each child is waited for by its id.
  FILE *children = fopen("/proc/thread-self/children", "r");
  int id;
  if (children) {
    while (fscanf(children, "%d", &id) == 1)
      if (id != program) waitpid(id, NULL, WNOHANG);
    fclose(children);
    return;
  }
  memset(&dead, 0, sizeof dead);
  while (waitid(P_ALL, 0, &dead, WEXITED | WNOHANG | WNOWAIT) == 0 && dead.si_pid > 0 && dead.si_pid != program) {
    waitpid(dead.si_pid, NULL, WNOHANG);
    memset(&dead, 0, sizeof dead);
  }
}

/// Waits until nothing but the program is left, or until the time is over. Returns true if nothing else is left.
static bool outlast(struct supervisor *self, pid_t program) {
  long long end = milliseconds() + grace;
  while (true) {
    int count = clinux_descendants(getpid(), processes, most_processes);
    if (count == 0 || (count == 1 && processes[0].id == program)) return true;
    long long rest = end - milliseconds();
    if (rest <= 0) return false;
    await_change(self, rest);
    collect_others(program);
  }
}

/// Kills all processes below this process until none is left. Returns the number of processes that did not end, and the
/// program's status in `status`.
static int kill_all(struct supervisor *self, pid_t program, int32_t *status) {
  long long end = milliseconds() + kill_limit;
  *status = -1;
  kill(-program, SIGKILL);
  for (bool is_first = true;; is_first = false) {
    int found = 0;
    pid_t dead;
    while ((dead = waitpid(-1, &found, WNOHANG)) > 0)
      if (dead == program) *status = found;
    if (dead < 0 && errno == ECHILD) return 0;
    // Usually only the program is left, and it is about to end.
    if (!is_first || *status != -1) {
      int count = clinux_descendants(getpid(), processes, most_processes);
      if (milliseconds() > end) return count;
      for (int i = 0; i < count; i++) kill(processes[i].id, SIGKILL);
    }
    await_change(self, 10);
  }
}

/// Whether no process is below this process. Orphans become its children, so without children it has no descendants.
static bool is_childless(void) { return waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD; }

static bool can_take_another(const struct supervisor *self) {
  return !self->is_leaving && getppid() == self->server && is_childless();
}

static int spawn_program(pid_t *program, char *text, const struct request *request, const int streams[3]) {
  char **words = calloc(request->words + request->variables + 2, sizeof(char *));
  if (!words) return ENOMEM;
  char **variables = words + request->words + 1;
  char *path = text;
  char *folder = path + strlen(path) + 1;
  char *next = folder + strlen(folder) + 1;
  for (uint32_t i = 0; i < request->words; i++, next += strlen(next) + 1) words[i] = next;
  for (uint32_t i = 0; i < request->variables; i++, next += strlen(next) + 1) variables[i] = next;

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int stream = 0; stream < 3; stream++) posix_spawn_file_actions_adddup2(&actions, streams[stream], stream);
  if (*folder) posix_spawn_file_actions_addchdir_np(&actions, folder);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);

  // The program leads a session of its own, so that it belongs to no terminal. It blocks no signal, and each signal has
  // the default disposition.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  int error = posix_spawn(program, path, &actions, &attributes, words, variables);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  free(words);
  return error;
}

/// Ends all processes below a supervisor, and then sends the last message about the program. Returns true if the
/// supervisor can accept another program.
static bool finish(struct supervisor *self, pid_t program, char asked) {
  static char leftovers[64 << 10];
  struct clinux_ended ended = {.status = -1};
  // A request for an immediate end asks for no names.
  if (asked == clinux_ask_end && !outlast(self, program))
    ended.length = name_leftovers(program, leftovers, sizeof leftovers);
  ended.survivors = kill_all(self, program, &ended.status);
  ended.is_free = can_take_another(self);
  return write_all(self->control, &ended, sizeof ended) && write_all(self->control, leftovers, ended.length) &&
         ended.is_free;
}

/// Waits until the kit asks for an end, and returns the kind of end. If the kit has gone or the supervisor must end,
/// this is an immediate end.
static char await_ask(struct supervisor *self, pid_t program) {
  char asked = clinux_ask_kill;
  while (true) {
    struct pollfd entries[] = {{self->control, POLLIN, 0}, {self->signals, POLLIN, 0}};
    if (poll(entries, 2, -1) < 0 && errno != EINTR) break;
    if (entries[1].revents) {
      self->is_leaving |= asked_to_end(self->signals);
      if (self->is_leaving) break;
      collect_others(program);
    }
    if (entries[0].revents) {
      self->is_leaving |= recv(self->control, &asked, 1, 0) != 1;
      break;
    }
  }
  return asked;
}

/// Runs a program to its end. Returns true if the supervisor can accept another program.
static bool run_program(struct supervisor *self, char *text, const struct request *request, const int streams[3]) {
  struct clinux_begun begun = {0, 0, getpid()};
  pid_t program = 0;
  begun.error = spawn_program(&program, text, request, streams);
  begun.program = program;
  // The program's streams must end with the program, so they may not stay open here.
  for (int stream = 0; stream < 3; stream++) close(streams[stream]);
  self->is_leaving |= !write_all(self->control, &begun, sizeof begun);
  if (begun.error) return !self->is_leaving;
  return finish(self, program, self->is_leaving ? clinux_ask_kill : await_ask(self, program));
}

/// Waits for the next program and runs it. Returns false if the kit has gone or wants an end.
static bool run_next(struct supervisor *self) {
  struct pollfd entries[] = {{self->control, POLLIN, 0}, {self->signals, POLLIN, 0}};
  if (poll(entries, 2, -1) < 0) return errno == EINTR;
  if (entries[1].revents && asked_to_end(self->signals)) return false;
  if (!entries[0].revents) return true;
  struct request request;
  int given[4];
  char *text = receive(self->control, &request, given);
  if (!text) return false;
  bool is_whole = given[0] >= 0 && given[1] >= 0 && given[2] >= 0;
  bool goes_on = is_whole && run_program(self, text, &request, given);
  free(text);
  return goes_on;
}

/// Runs programs one after the other. The server has received the request for the first program.
static void supervise(pid_t server, char *text, const struct request *request, const int given[4]) {
  int kept[4] = {given[0], given[1], given[2], given[3]};
  keep_only(kept, 4);
  prctl(PR_SET_NAME, "conform-super");
  clinux_adopt_orphans();
  struct supervisor self = {server, kept[3], take_signals(), false};
  bool goes_on = run_program(&self, text, request, kept);
  while (goes_on) goes_on = run_next(&self);
}

// MARK: - Server

static pid_t *supervisors;
static size_t supervisor_count, supervisor_room;

static bool is_supervisor(pid_t id) {
  for (size_t i = 0; i < supervisor_count; i++)
    if (supervisors[i] == id) return true;
  return false;
}

/// Collects supervisors that have ended. If a supervisor was killed, kills the processes that it left. Continues a
/// stopped supervisor, because no other process would end the processes below it.
static void collect_supervisors(void) {
  pid_t dead;
  bool is_orphaned = false;
  int status;
  while ((dead = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
    if (WIFSTOPPED(status)) {
      kill(dead, SIGCONT);
      continue;
    }
    is_orphaned |= WIFSIGNALED(status) || !is_supervisor(dead);
    for (size_t i = 0; i < supervisor_count; i++)
      if (supervisors[i] == dead) supervisors[i--] = supervisors[--supervisor_count];
  }
  if (!is_orphaned) return;
  FILE *children = fopen("/proc/thread-self/children", "r");
  int id;
  if (!children) return;
  while (fscanf(children, "%d", &id) == 1)
    if (!is_supervisor(id)) kill(id, SIGKILL);
  fclose(children);
}

static void note_supervisor(pid_t id) {
  if (supervisor_count == supervisor_room) {
    size_t room = supervisor_room ? supervisor_room * 2 : 64;
    pid_t *more = realloc(supervisors, room * sizeof(pid_t));
    if (!more) return;
    supervisors = more;
    supervisor_room = room;
  }
  supervisors[supervisor_count++] = id;
}

/// Serves one request. Returns false if the kit has gone.
static bool serve(int socket) {
  struct request request;
  int given[4];
  char *text = receive(socket, &request, given);
  if (!text) return false;
  if (given[3] >= 0) {
    pid_t server = getpid();
    pid_t id = fork();
    if (id == 0) {
      supervise(server, text, &request, given);
      _exit(0);
    }
    if (id > 0) {
      note_supervisor(id);
    } else {
      struct clinux_begun failure = {errno, 0, 0};
      write_all(given[3], &failure, sizeof failure);
    }
  }
  close_given(given);
  free(text);
  return true;
}

static void run_server(int socket) {
  keep_only(&socket, 1);
  // The server leaves the terminal and the process group of the kit. A signal to these must not end the server before
  // the kit.
  setsid();
  prctl(PR_SET_NAME, "conform-forks");
  clinux_adopt_orphans();
  int signals = take_signals();
  bool is_asked = true;
  while (is_asked) {
    struct pollfd entries[] = {{socket, POLLIN, 0}, {signals, POLLIN, 0}};
    if (poll(entries, 2, -1) < 0 && errno != EINTR) break;
    if (entries[1].revents) {
      asked_to_end(signals);
      collect_supervisors();
    }
    if (entries[0].revents) is_asked = serve(socket);
  }
  // The kit has gone or wants an end, so every supervisor must end the processes below it.
  for (size_t i = 0; i < supervisor_count; i++) kill(supervisors[i], SIGTERM);
  long long end = milliseconds() + kill_limit + 1000;
  while (milliseconds() < end) {
    collect_supervisors();
    siginfo_t dead;
    if (waitid(P_ALL, 0, &dead, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD) break;
    struct pollfd entry = {signals, POLLIN, 0};
    poll(&entry, 1, 10);
    asked_to_end(signals);
  }
}

pid_t clinux_fork_server_start(int *socket) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  pid_t id = fork();
  if (id == 0) {
    run_server(ends[1]);
    _exit(0);
  }
  int error = errno;
  close(ends[1]);
  if (id < 0) close(ends[0]);
  *socket = ends[0];
  errno = error;
  return id;
}

int clinux_ask_for_program(
    int socket, const char *text, size_t length, uint32_t words, uint32_t variables, const int streams[3],
    int control) {
  struct request request = {(uint32_t)length, words, variables};
  int given[4] = {streams[0], streams[1], streams[2], control};
  size_t given_size = (control < 0 ? 3 : 4) * sizeof(int);
  struct iovec part = {&request, sizeof request};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof given)];
  } ancillary;
  memset(&ancillary, 0, sizeof ancillary);
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = CMSG_SPACE(given_size)};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(given_size);
  memcpy(CMSG_DATA(header), given, given_size);
  ssize_t count;
  while ((count = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
  if (count != sizeof request) return count < 0 ? errno : EPIPE;
  return write_all(socket, text, length) ? 0 : errno;
}
