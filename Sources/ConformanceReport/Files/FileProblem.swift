import ConformanceModel

/// A file that cannot be opened, read or written.
public struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried.
  public enum Action: String, Sendable {
    case read, write
  }

  public var action: Action
  public var file: String
  /// What the system says.
  public var reason: String

  public init(_ action: Action, _ file: String, reason: String) {
    self.action = action
    self.file = file
    self.reason = reason
  }

  public var description: String {
    let advice =
      switch action {
      case .read: "check the name and the rights"
      case .write: "its folder must exist, and the file must be yours to write"
      }
    return "cannot \(action.rawValue) '\(file)': \(reason); \(advice)"
  }
}

/// A line of a JSON Lines file that is not what the format wants: file, line, field, expected, found.
public struct LineProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public var file: String
  /// Counted from 1.
  public var line: Int
  /// The field of the line; the root when the line as a whole is meant.
  public var field: JSONPath
  public var expected: String
  public var found: String

  public init(file: String, line: Int, field: JSONPath = .root, expected: String, found: String) {
    self.file = file
    self.line = line
    self.field = field
    self.expected = expected
    self.found = found
  }

  public var description: String { "\(file):\(line): \(field): expected \(expected), found \(found)" }
}
