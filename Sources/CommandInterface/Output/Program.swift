import FoundationEssentials

/// This program, with the name by which it was started.
package enum Program {
  static var id: Int32 { ProcessInfo.processInfo.processIdentifier }

  /// The word that starts this program again in the same working folder: the path that the user typed, or `conform` if
  /// the user typed no path.
  package static var called: String {
    let first = CommandLine.arguments.first ?? ""
    return first.contains("/") ? first : "conform"
  }
}
