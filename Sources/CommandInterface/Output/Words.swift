import ConformanceVerdict

/// Collects the words of a command line, in order.
package struct Words {
  private(set) var list: [String]

  package init(_ list: [String] = []) { self.list = list }

  /// The words as a line for the shell.
  package var line: String { list.map(\.quotedForShell).joined(separator: " ") }

  package mutating func add(_ option: String, _ value: String?) {
    if let value { list += [option, value] }
  }

  package mutating func add(_ words: [String]) { list += words }
}
