/// Keeps files between launches.
package protocol Storage: AnyObject {
  /// The bytes of a file; nil if the file does not exist.
  func read(_ name: String) -> [UInt8]?

  /// Replaces a file atomically: after a crash, the file has its old or its new contents.
  func replace(_ name: String, with bytes: [UInt8]) throws

  /// Appends bytes to a file, and creates the file if it does not exist. After a crash or an error, the file may
  /// contain only a first part of the bytes.
  func append(_ bytes: [UInt8], to name: String) throws

  /// Removes a file, if it exists.
  func remove(_ name: String) throws
}
