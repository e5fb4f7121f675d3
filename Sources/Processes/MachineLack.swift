import Glibc

/// A resource that the machine has run out of. No subject is judged by it.
package struct MachineLack: Hashable, Sendable {
  /// The missing resource and the remedy, for people.
  package var text: String

  package init(text: String) { self.text = text }

  /// nil if the errno has another cause.
  package init?(errno code: Int32) {
    switch code {
    case EMFILE: text = "the kit has too many files open: run fewer cases at once (--jobs), or raise ulimit -n"
    case ENFILE: text = "the machine has too many files open: run fewer cases at once (--jobs), or close other programs"
    case EAGAIN:
      text = "too many processes or threads are running: run fewer cases at once (--jobs), or raise ulimit -u"
    case EADDRNOTAVAIL:
      text = "the machine has no port left to connect from: run fewer cases at once (--jobs), or wait a minute"
    case ENOMEM, ENOBUFS: text = "there is not enough memory: run fewer cases at once (--jobs), or close other programs"
    case ENOSPC, EDQUOT: text = "there is no room left on the disk: free some, or name another folder with TMPDIR"
    default: return nil
    }
  }
}

extension ProgramFailure {
  /// The failure to start something, because the machine lacks a resource or for another reason.
  package static func notStarted(_ what: String, errno code: Int32, otherwise reason: String? = nil) -> ProgramFailure {
    if let lack = MachineLack(errno: code) { return ProgramFailure(.machine, "\(what): \(lack.text)") }
    return ProgramFailure(.start, "\(what): \(reason ?? String(cString: strerror(code)))")
  }
}
