import JSONKit

/// A list of numbered values in a file. Each line of the file is a change: `[7,{"event":1}]` adds the value with the
/// number 7, and `[7]` removes it.
///
/// The time to store a change does not depend on the length of the list. If the app is killed while it writes a change,
/// all earlier changes are in the file, and the unfinished line is ignored. Changes make the file longer, so from time
/// to time a file that contains only the present values replaces it.
package struct Journal: Sendable {
  /// A change of a list.
  package enum Change: Hashable, Sendable {
    /// Adds a value with this number, or replaces the value that already has the number.
    case add(Int, JSON)
    /// Removes the value with this number, if there is one.
    case remove(Int)
  }

  /// A write to the file: appends changes, or replaces the whole file.
  package enum Write: Hashable, Sendable {
    case append([UInt8])
    case replace([UInt8])
  }

  /// The file is replaced as soon as it would have more than `2 * values + spareLines` lines, where `values` is the
  /// number of values in the list.
  private static let spareLines = 64

  /// For each value of the list, the line of the file that adds it, by the value's number.
  private var lines: [Int: [UInt8]] = [:]
  /// The number of lines in the file; nil if this object has not written the file yet, or if the last write failed.
  private var written: Int?

  /// Reads the list from the file of an earlier launch. The list is empty if `file` is nil. The first change replaces
  /// the file.
  package init(_ file: [UInt8]?) {
    for (number, value) in Self.entries(of: file ?? []) { lines[number] = Self.line(number, value) }
  }

  /// Applies changes. Returns the write that stores them; nil if the list did not change.
  package mutating func take(_ changes: [Change]) -> Write? {
    let new = changes.compactMap { line(of: $0) }
    guard !new.isEmpty else { return nil }
    if let known = written, known + new.count <= 2 * lines.count + Self.spareLines {
      written = known + new.count
      return .append(new.flatMap(\.self))
    }
    written = lines.count
    return .replace(lines.sorted { $0.key < $1.key }.flatMap(\.value))
  }

  /// Records that a write failed or was incomplete. The next change replaces the file.
  package mutating func noteFailure() { written = nil }

  /// Applies a change. Returns the line of the file that stores it; nil if the list did not change.
  private mutating func line(of change: Change) -> [UInt8]? {
    switch change {
    case .add(let number, let value):
      let line = Self.line(number, value)
      lines[number] = line
      return line
    case .remove(let number):
      return lines.removeValue(forKey: number).map { _ in Self.line(number) }
    }
  }

  private static func line(_ number: Int, _ value: JSON? = nil) -> [UInt8] {
    JSON.array([.int(number)] + [value].compactMap(\.self)).compactBytes + [0x0A]
  }
}

extension Journal {
  /// The numbered values in the bytes of a journal's file, in the order of their numbers. Invalid lines and an
  /// unfinished last line are ignored.
  package static func entries(of file: [UInt8]) -> [(number: Int, value: JSON)] {
    let end = file.lastIndex(of: 0x0A) ?? 0
    var values: [Int: JSON] = [:]
    for line in file[..<end].split(separator: 0x0A) {
      guard let parts = try? JSON(parsing: line).array, parts.count <= 2, let number = parts.first?.int else {
        continue
      }
      values[number] = parts.count > 1 ? parts[1] : nil
    }
    return values.sorted { $0.key < $1.key }.map { (number: $0.key, value: $0.value) }
  }
}
