import JSONKit
import Templates

// The form of scalar values in transcripts and run records.

/// A time or a span in milliseconds. An infinite value or NaN becomes null, and reading this null as a time fails.
extension LogicalTime: JSONEncodable {
  package var representation: JSON { .number(milliseconds) }
}

extension JSON {
  /// A number as JSON. An infinite value or NaN becomes null, and reading this null as a number fails.
  package static func number(_ value: Double) -> JSON { Number(value).map(JSON.number) ?? .null }

  /// A 64-bit number as text, because a receiver that reads numbers as doubles would round it (RFC 7493 §2.2).
  package static func unsigned(_ value: UInt64) -> JSON { .string(String(value)) }
}

extension JSONField {
  /// Reads a time in milliseconds. Refuses more than about 30,000 years, because such a time can overflow in smaller
  /// units.
  package func time() throws(Problem) -> LogicalTime {
    let milliseconds = try double()
    guard abs(milliseconds) <= 1e15 else { throw problem(expected: "milliseconds, at most 1e15") }
    return LogicalTime(milliseconds: milliseconds)
  }

  /// Reads a span of real time in milliseconds.
  package func duration() throws(Problem) -> Double {
    let milliseconds = try time().milliseconds
    guard milliseconds >= 0 else { throw problem(expected: "milliseconds, at least 0") }
    return milliseconds
  }

  package func unsigned() throws(Problem) -> UInt64 {
    guard let number = UInt64(try string()) else { throw problem(expected: "an unsigned 64-bit number as a string") }
    return number
  }

  /// The decoded elements of an array. Throws if the value is not an array, or at the first invalid element.
  package func list<Value: JSONRepresentable>(of type: Value.Type = Value.self) throws(Problem) -> [Value] {
    var values: [Value] = []
    for element in try elements() { values.append(try Value(element)) }
    return values
  }

  /// Checks that the document has this version of its format, the only one that the kit reads.
  package func requireVersion(_ version: Int, of format: String) throws(Problem) {
    guard value.int == version else {
      throw problem(
        expected: "version \(version) of the \(format) format, the one this kit reads (make it anew with this kit, "
          + "or use the kit that wrote it)")
    }
  }
}
