import ConformanceTranscript
import NIOCore
import NIOPosix

/// Turns the error of a connection that could not be made into a ``WireFailure``.
enum ConnectFailure {
  static func failure(_ error: any Error, to endpoint: WireEndpoint) -> WireFailure {
    let errors = causes(of: error)
    for error in errors { Shortages.shared.note(error) }
    if errors.contains(where: isTimeout) {
      return WireFailure(.timeout, "no connection to \(endpoint.authority) in time")
    }
    if errors.contains(where: { code($0) == ECONNREFUSED }) {
      return WireFailure(.refused, "nothing listens on \(endpoint.authority)")
    }
    if errors.contains(where: { code($0) == ECONNRESET }) {
      return WireFailure(.reset, "\(endpoint.authority) reset the connection at once")
    }
    if let error = errors.first as? SocketAddressError.UnknownHost,
      errors.allSatisfy({ $0 is SocketAddressError.UnknownHost })
    {
      return WireFailure(.unreachable, "no address is found for '\(endpoint.host)': \(error.errorDescription)")
    }
    let reasons = errors.reduce(into: [String]()) { reasons, error in
      let reason = reason(error)
      if !reasons.contains(reason) { reasons.append(reason) }
    }
    return WireFailure(.unreachable, "\(endpoint.authority) cannot be reached: \(reasons.joined(separator: "; "))")
  }

  /// The causes of an error. There may be several: a name has two look-ups (IPv4 and IPv6) and several addresses, and
  /// each can fail in its own way.
  private static func causes(of error: any Error) -> [any Error] {
    guard let error = error as? NIOConnectionError else { return [error] }
    let connections = error.connectionErrors.map(\.error)
    let lookUps = [error.dnsAError, error.dnsAAAAError].compactMap(\.self)
    // A name that has addresses of only one kind is a valid name, too.
    let causes = connections.isEmpty ? lookUps : connections
    return causes.isEmpty ? [error] : causes
  }

  private static func code(_ error: any Error) -> CInt? { (error as? IOError)?.errnoCode }

  private static func reason(_ error: any Error) -> String {
    code(error).map { String(cString: strerror($0)) } ?? "\(error)"
  }

  private static func isTimeout(_ error: any Error) -> Bool {
    if case ChannelError.connectTimeout = error { true } else { code(error) == ETIMEDOUT }
  }
}
