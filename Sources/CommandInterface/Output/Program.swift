import FoundationEssentials

/// This program, by the name with which it was started.
package enum Program {
  static var id: Int32 { ProcessInfo.processInfo.processIdentifier }

  /// The word that starts the program again from the same folder: the path as it was typed, or the name alone.
  package static var called: String {
    let first = CommandLine.arguments.first ?? ""
    return first.contains("/") ? first : "conform"
  }
}
