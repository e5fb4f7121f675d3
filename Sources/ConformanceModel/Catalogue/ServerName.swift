import JSONKit
import Templates

/// A name in `server.yaml`, split into the source of its value and the part of this value that is used.
package struct ServerName: Hashable, Sendable {
  /// The source of the value.
  package enum Source: Hashable, Sendable {
    /// A hole of the request, a parameter of the command, or a name that a rule defines.
    case local(String)
    case state(String)
    /// The value that a state had last, if it has expired.
    case ended(String)
    /// The instant at which the value of a state expires or has expired.
    case end(String)
    /// A value that the server provides for cases.
    case value(String)
    case serial
    case now(plus: LogicalTime, Clock)
    case random(Draw)
  }

  /// The form of an instant: a text, or a number in this unit.
  package enum Clock: String, Hashable, Sendable, CaseIterable {
    case timestamp
    case milliseconds = "ms"
    case seconds = "s"
  }

  /// The form of a random value. The value follows from the seed.
  package enum Draw: Hashable, Sendable {
    case uuid
    case hex(Int)
    case text(Int)
    case digits(Int)
  }

  /// A property of a list.
  package enum Aspect: String, Hashable, Sendable, CaseIterable {
    case count = "$count"
    case last = "$last"
  }

  /// The name as written in the file, but without a final `.$capitals` or `.$small`. These endings only convert the
  /// value to upper or lower case.
  package let text: String
  package let source: Source
  /// The path of the part that is used, within the value of the source.
  package let path: JSONPath
  package let aspect: Aspect?

  /// Parses a name; nil if the part after `state`, `now` or `random` is invalid, or if the path is invalid.
  package init?(_ spelling: String) {
    var rest = spelling[...]
    for ending in [".$capitals", ".$small"] where rest.hasSuffix(ending) { rest = rest.dropLast(ending.count) }
    text = String(rest)
    aspect = Aspect.allCases.first { rest.hasSuffix(".\($0.rawValue)") }
    if let aspect { rest = rest.dropLast(aspect.rawValue.count + 1) }
    let first = Self.takePart(&rest)
    let source: Source?
    switch (String(first), rest.isEmpty) {
    case ("state", false): source = Self.state(&rest)
    case ("values", false): source = .value(String(Self.takePart(&rest)))
    case ("serial", true): source = .serial
    case ("now", _): source = Self.instant(&rest)
    case ("random", false): source = Self.draw(&rest)
    default: source = .local(String(first))
    }
    guard let source, let path = JSONPath(rest.first == "[" ? "$" + rest : String(rest)) else { return nil }
    self.source = source
    self.path = path
  }

  /// The form of a local name in a template that compares the value of the name, and never captures a value. For the
  /// name `token`, the template contains `${.token}`. If `token` has no value, this hole matches nothing.
  package init(known name: String) {
    text = ".\(name)"
    source = .local(name)
    path = .root
    aspect = nil
  }

  /// Whether the name is a local name that has neither a path nor a property of a list.
  package var isPlain: Bool { self.source == .local(text) && path == .root && aspect == nil }

  /// The state whose value or expiry the name reads; nil if it reads no state.
  package var state: String? {
    switch source {
    case .state(let name), .ended(let name), .end(let name): name
    default: nil
    }
  }

  /// Removes and returns the text before the next dot or bracket. Removes the dot, too.
  private static func takePart(_ rest: inout Substring) -> Substring {
    let part = rest.prefix { $0 != "." && $0 != "[" }
    rest = rest.dropFirst(part.count)
    if rest.first == "." { rest = rest.dropFirst() }
    return part
  }

  private static func state(_ rest: inout Substring) -> Source? {
    let name = String(takePart(&rest))
    guard !name.isEmpty, rest.first == "$" else { return name.isEmpty ? nil : .state(name) }
    switch takePart(&rest) {
    case "$expired": return .ended(name)
    case "$ends" where rest.isEmpty: return .end(name)
    default: return nil
    }
  }

  /// An instant such as `now`, `now.plus.10m`, `now.ms` or `now.plus.10m.ms`; nil for any other name.
  private static func instant(_ rest: inout Substring) -> Source? {
    var plus = LogicalTime.zero
    if rest.hasPrefix("plus.") {
      rest = rest.dropFirst("plus.".count)
      guard let span = LogicalTime(String(takePart(&rest))) else { return nil }
      plus = span
    }
    guard !rest.isEmpty else { return .now(plus: plus, .timestamp) }
    return Clock(rawValue: String(takePart(&rest))).map { .now(plus: plus, $0) }
  }

  private static func draw(_ rest: inout Substring) -> Source? {
    let word = takePart(&rest)
    if word == "uuid" { return .random(.uuid) }
    guard let length = Int(takePart(&rest)), (1...1024).contains(length) else { return nil }
    switch word {
    case "hex": return .random(.hex(length))
    case "text": return .random(.text(length))
    case "digits": return .random(.digits(length))
    default: return nil
    }
  }
}
