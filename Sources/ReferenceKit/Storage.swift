/// Keeps files between launches.
package protocol Storage: AnyObject {
  /// The file's bytes; nil when there is no such file.
  func read(_ name: String) -> [UInt8]?

  /// Replaces the file as a whole: after a crash there is the old one or the new one.
  func replace(_ name: String, with bytes: [UInt8]) throws

  /// Puts bytes at the end of the file, which is made where there is none: after a crash, or when it throws, there may
  /// be a first part of them.
  func append(_ bytes: [UInt8], to name: String) throws

  /// Removes the file, if there is one.
  func remove(_ name: String) throws
}
