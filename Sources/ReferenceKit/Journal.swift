import JSONKit

/// A numbered list in a file, stored as changes, one a line: `[7,{"event":1}]` adds, `[7]` removes.
///
/// Storing a change costs the same for a list of any length. After a kill, all earlier changes are in the file; a line
/// without an end does not count. From time to time the file is replaced by one with the current list, so that its size
/// is bounded.
package struct Journal: Sendable {
  /// A change of a list.
  package enum Change: Hashable, Sendable {
    /// Sets the value of this number.
    case add(Int, JSON)
    /// Removes the value of this number, if there is one.
    case remove(Int)
  }

  /// The way to write a change to the file.
  package enum Write: Hashable, Sendable {
    case append([UInt8])
    case replace([UInt8])
  }

  /// The number of lines, in addition to two for each value, before the file is replaced.
  private static let spareLines = 64

  /// The lines of the current list, by number.
  private var lines: [Int: [UInt8]] = [:]
  /// The number of lines in the file; nil if the end of the file is unknown.
  private var written: Int?

  /// Continues a file that an earlier launch may have left.
  package init(_ file: [UInt8]?) {
    for (number, value) in Self.entries(of: file ?? []) { lines[number] = Self.line(number, value) }
  }

  /// Applies changes and returns the write for them; nil if they change nothing.
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

  /// Notes that a write failed or was incomplete: the next change replaces the file.
  package mutating func noteFailure() { written = nil }

  /// The line of a change; nil when it changes nothing.
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
  /// The list in these bytes of a file, in the order of numbers. An invalid line is ignored, and so is the text after
  /// the last end of a line.
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
