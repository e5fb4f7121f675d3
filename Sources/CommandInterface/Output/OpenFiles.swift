import Glibc

/// The system's limit for the number of files that this process may have open. Each running case needs sockets, pipes
/// and a file of evidence.
package enum OpenFiles {
  /// The number of files that the event loops and the report may need, plus a reserve. Without a reserve, libdispatch
  /// might be unable to open a file, and then it ends the process.
  private static let ownFiles = 64
  /// The usual number of files for one case: the pipes of a subject, the ports of the services, and connections.
  private static let filesPerCase = 16

  /// Raises the limit as far as the system allows. Throws if the limit is still too low for this number of simultaneous
  /// cases.
  package static func makeRoom(forCases cases: Int = 1) throws(Finished) {
    guard var limit = current else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(resource, &limit)
    let fewest = ownFiles + cases * filesPerCase
    guard let taken = current?.rlim_cur, taken < fewest else { return }
    Terminal.error("conform: only \(taken) files may be open at once, and a run needs \(fewest): raise ulimit -n\n")
    throw Finished(code: .unjudged)
  }

  /// The number of cases that can run at once. It is `wanted`, or less if the limit for open files is too low, but at
  /// least 1.
  static func cases(atMost wanted: Int) -> Int {
    guard let limit = current else { return wanted }
    return min(wanted, max(1, (Int(clamping: limit.rlim_cur) - ownFiles) / filesPerCase))
  }

  private static var current: rlimit? {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? limit : nil
  }

  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
