import CLinux
import Glibc

/// How a child is set up between fork and exec.
struct SpawnPlan {
  /// The descriptors that become 0, 1 and 2; the child gets no other.
  let streams: [Int32]
  /// Where the child runs; nil for where the kit is.
  let folder: String?

  /// Starts the program: 0, or an errno.
  ///
  /// The child leads a session of its own, away from the kit's terminal and its Ctrl-C, blocks no signal, and has the
  /// default disposition for each: the kit ignores SIGPIPE, and that would be inherited.
  func spawn(_ id: inout pid_t, _ path: String, _ arguments: [String], _ environment: [String]) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, stream, Int32(number)) }
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
    // A socket of the mock server that leaked into an adapter would stay open when the mock closes it.
    posix_spawn_file_actions_addclosefrom_np(&actions, Int32(streams.count))

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | clinux_spawn_setsid
    posix_spawnattr_setflags(&attributes, flags)

    return Self.withCStrings(arguments) { arguments in
      Self.withCStrings(environment) { posix_spawn(&id, path, &actions, &attributes, arguments, $0) }
    }
  }

  private static func withCStrings(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> Int32 {
    let copies = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(body) ?? ENOMEM
    }
  }
}
