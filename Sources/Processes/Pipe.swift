import CLinux
import Glibc

/// A pipe whose ends are closed on exec.
package struct Pipe: Sendable {
  package let readEnd: Int32
  package let writeEnd: Int32

  /// Opens a pipe with descriptors above 2, so that neither end is overwritten when a child's standard streams are set.
  ///
  /// - Parameter others: pipes that are closed if this one cannot be opened.
  package static func open(orClose others: [Pipe] = []) throws(ProgramFailure) -> Pipe {
    var ends: [Int32] = [-1, -1]
    if pipe2(&ends, O_CLOEXEC) == 0 {
      let raised = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
      for end in ends { Glibc.close(end) }
      if !raised.contains(-1) { return Pipe(readEnd: raised[0], writeEnd: raised[1]) }
      for end in raised where end >= 0 { Glibc.close(end) }
    }
    let code = errno
    for pipe in others { pipe.close() }
    throw ProgramFailure.notStarted("no pipe to the program can be opened", errno: code)
  }

  package func close() {
    Glibc.close(readEnd)
    Glibc.close(writeEnd)
  }
}
