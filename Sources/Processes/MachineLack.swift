import Glibc

/// A resource that the machine has used up. Such a shortage does not count against a subject.
package struct MachineLack: Hashable, Sendable {
  /// A sentence about the missing resource and the remedy.
  package var text: String

  package init(text: String) { self.text = text }

  /// Returns nil if the errno does not report a shortage.
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
  /// The failure of a start. Its kind is `machine` if the errno reports a shortage, and otherwise `start`.
  package static func notStarted(_ what: String, errno code: Int32, otherwise reason: String? = nil) -> ProgramFailure {
    if let lack = MachineLack(errno: code) { return ProgramFailure(.machine, "\(what): \(lack.text)") }
    return ProgramFailure(.start, "\(what): \(reason ?? String(cString: strerror(code)))")
  }
}
