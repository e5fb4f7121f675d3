#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How many files the process may have open: each case that runs holds sockets, pipes and its evidence.
enum OpenFiles {
  /// What one case at a time needs; with fewer the event loops themselves cannot begin.
  static let fewest = 64

  /// Takes all that the system allows, and ends the command where that is too little.
  static func makeRoom() throws(Finished) {
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(resource, &limit)
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < fewest else { return }
    Terminal.error(
      "conform: only \(limit.rlim_cur) files may be open at once, and a run needs \(fewest): raise ulimit -n\n")
    throw Finished(code: .unjudged)
  }
}
