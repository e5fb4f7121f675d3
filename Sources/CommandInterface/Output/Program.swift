import FoundationEssentials

/// This program, with the name by which it was started.
package enum Program {
  static var id: Int32 { ProcessInfo.processInfo.processIdentifier }

  /// The word that starts this program again from the same folder: the typed path, or the name alone.
  package static var called: String {
    let first = CommandLine.arguments.first ?? ""
    return first.contains("/") ? first : "conform"
  }
}
