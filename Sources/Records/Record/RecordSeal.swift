import Digests
import JSONKit

/// The hash chain of a record: the last member of each line is the digest of that line and of all lines before it.
///
/// The chain shows that a record was edited, merged by hand or damaged, even if every line is still valid. It does not
/// prevent forgery: the chain has no key, so a person can write a whole new record with a valid chain.
package struct RecordSeal {
  private var chain = SHA256()

  package init() {}

  /// Adds the digest to a JSON object, and returns it as the next line of the record, without a line end.
  package mutating func seal(_ object: [UInt8]) -> [UInt8] {
    var line = object
    line.removeLast()
    let digest = next(line[...])
    line += Self.member
    line += digest
    line += Self.close
    return line
  }

  /// Returns the record after it replaced the digest in each line with a newly calculated one.
  package static func sealedAgain(_ record: [UInt8]) -> [UInt8] {
    var seal = RecordSeal()
    return record.split(separator: UInt8(ascii: "\n")).flatMap { line in
      let hasSeal = line.suffix(length).starts(with: member)
      return seal.seal(Array(hasSeal ? line.dropLast(length) + close.suffix(1) : line)) + [UInt8(ascii: "\n")]
    }
  }

  /// Checks the next line of a record. Throws if the line does not end with the digest of this line and all lines
  /// before it.
  mutating func take(_ line: [UInt8]) throws(JSONField.Problem) {
    let rest = line.suffix(Self.length)
    guard rest.count == Self.length, rest.starts(with: Self.member), rest.suffix(Self.close.count) == Self.close[...]
    else {
      throw Self.problem(
        expected: "the digest of the lines so far, the last member of each line", found: "no such member")
    }
    let digest = next(line.dropLast(Self.length))
    let found = rest.dropFirst(Self.member.count).dropLast(Self.close.count)
    guard found.elementsEqual(digest) else {
      throw Self.problem(
        expected:
          "'\(String(decoding: digest, as: UTF8.self))', the digest of this line and those before it (something "
          + "in it was changed, or a line before it is gone: take the record as the run wrote it)",
        found: "'\(String(visible: found))'")
    }
  }

  /// Adds a line to the chain, and returns the digest of all lines so far. `open` is the line without its digest and
  /// closing brace.
  private mutating func next(_ open: ArraySlice<UInt8>) -> [UInt8] {
    chain.update(open)
    chain.update(Self.end)
    return chain.finalize().hexadecimal
  }

  private static let member = Array(#","seal":""#.utf8)
  private static let close = Array(#""}"#.utf8)
  private static let end = Array("}\n".utf8)
  private static let length = member.count + 2 * SHA256.byteCount + close.count

  private static func problem(expected: String, found: String) -> JSONField.Problem {
    JSONField.Problem(path: JSONPath([.key("seal")]), expected: expected, found: found)
  }
}
