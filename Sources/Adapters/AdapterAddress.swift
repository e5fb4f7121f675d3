import Processes

/// The value of `--sdk`: how the kit reaches an adapter.
package enum AdapterAddress: Hashable, Sendable {
  /// The kit starts the adapter and uses its standard streams.
  case program(ProgramCommand)
  /// The adapter listens for HTTP at this URL.
  case http(HTTPAddress)
  /// The kit listens on this port, and the adapter opens a WebSocket; 0 means a free port.
  case webSocket(port: Int)

  /// Whether the adapter runs where the kit cannot start it. A carrier then forwards the messages of the adapter.
  package var isCarried: Bool { if case .program = self { false } else { true } }

  /// Reads the value of `--sdk`: `http://HOST:PORT/PATH`, `ws://`, `ws://:PORT`, or else a command.
  package init(_ text: String) throws(ProgramFailure) {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard scheme.count < text.count, Self.schemes.contains(scheme) else {
      self = .program(try ProgramCommand(shellLike: text))
      return
    }
    let rest = text.dropFirst(scheme.count + 1)
    guard scheme == "ws" || scheme == "http" else {
      throw ProgramFailure(
        .command,
        "the carriers of an adapter have no TLS, found '\(text)'; expected http://HOST:PORT/PATH or ws://:PORT")
    }
    guard rest.hasPrefix("//") else {
      throw ProgramFailure(
        .command, "'\(text)' is not an address of an adapter; expected http://HOST:PORT/PATH, ws:// or ws://:PORT")
    }
    self =
      scheme == "ws"
      ? .webSocket(port: try Self.port(rest.dropFirst(2), of: text))
      : .http(try HTTPAddress(rest.dropFirst(2), of: text))
  }

  /// If the value of `--sdk` begins with one of these words and a colon, it is an address and not a command.
  private static let schemes: Set = ["http", "https", "ws", "wss"]

  /// Whether the kit listens for this adapter.
  package var isWebSocket: Bool { if case .webSocket = self { true } else { false } }

  /// The port of `ws://`, `ws://:PORT` or `ws://HOST:PORT`, where `HOST` is a name of this machine. 0 if the text has
  /// no port.
  private static func port(_ rest: Substring, of text: String) throws(ProgramFailure) -> Int {
    let place = rest.hasSuffix("/") ? rest.dropLast() : rest
    guard !place.isEmpty else { return 0 }
    let parts = place.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, ["", "127.0.0.1", "localhost"].contains(parts[0]), let port = UInt16(parts[1]) else {
      throw ProgramFailure(
        .command,
        "the kit cannot listen at '\(text)'; expected ws:// or ws://:PORT, and --listen-on ADDRESS for a device in the network"
      )
    }
    return Int(port)
  }
}

/// The URL at which an adapter listens.
package struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
  package var host: String
  package var port: Int
  /// The path of the URL. It begins with `/`.
  package var path: String

  /// Reads the part of a URL behind `http://`. `text` is the whole value of `--sdk`, which error messages quote.
  fileprivate init(_ rest: Substring, of text: String) throws(ProgramFailure) {
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let authority = rest[..<slash]
    let isIPv6 = authority.hasPrefix("[")
    let hostEnd = isIPv6 ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
    let name = authority[..<(hostEnd ?? authority.endIndex)]
    let digits = hostEnd.map { authority[$0...].dropFirst() } ?? ""
    guard !name.isEmpty, let port = digits.isEmpty ? 80 : UInt16(digits),
      !authority.contains("@"), !rest.contains(where: { $0 == "#" || $0.isWhitespace })
    else {
      throw ProgramFailure(
        .command,
        "'\(text)' is not the URL of an adapter; expected http://HOST:PORT/PATH, such as http://127.0.0.1:9000/")
    }
    host = isIPv6 ? String(name.dropFirst().dropLast()) : String(name)
    self.port = Int(port)
    path = slash == rest.endIndex ? "/" : String(rest[slash...])
  }

  /// The value of the header field `Host`.
  package var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  package var description: String { "http://\(authority)\(path)" }
}
