import JSONKit

/// A list of numbered values in a file. Each line of the file is a change: `[7,{"event":1}]` adds a value, and `[7]`
/// removes it.
///
/// Storing a change takes the same time for a list of any length. If the app is killed, all earlier changes are in the
/// file; an unfinished line does not count. From time to time the file is replaced with a file of the present list, so
/// that its size is bounded.
package struct Journal: Sendable {
  /// A change of a list.
  package enum Change: Hashable, Sendable {
    /// Sets the value with this number.
    case add(Int, JSON)
    /// Removes the value with this number, if there is one.
    case remove(Int)
  }

  /// A write that stores changes in the file.
  package enum Write: Hashable, Sendable {
    case append([UInt8])
    case replace([UInt8])
  }

  /// The file is replaced when it would have more lines than two for each value and this number in addition.
  private static let spareLines = 64

  /// The lines of the present list, by number.
  private var lines: [Int: [UInt8]] = [:]
  /// The number of lines in the file; nil if the end of the file is unknown.
  private var written: Int?

  /// A journal that continues the file of an earlier launch; nil if there is no file.
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

  /// Applies a change. Returns its line; nil if the list did not change.
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
  /// The list in the bytes of a file, in the order of the numbers. Invalid lines and an unfinished last line are
  /// ignored.
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
