/// How a process ended.
package enum ProcessExit: Hashable, Sendable, CustomStringConvertible {
  case exited(code: Int)
  case signalled(Int)

  package var description: String {
    switch self {
    case .exited(let code): "exited with code \(code)"
    case .signalled(let signal): "was ended by signal \(signal)"
    }
  }
}
