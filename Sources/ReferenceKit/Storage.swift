/// Keeps files between launches.
package protocol Storage: AnyObject {
  /// The file's bytes; nil when there is no such file.
  func read(_ name: String) -> [UInt8]?

  /// Replaces the file as a whole: after a crash there is the old one or the new one.
  func replace(_ name: String, with bytes: [UInt8]) throws

  /// Removes the file, if there is one.
  func remove(_ name: String) throws
}
