import ConformanceVerdict
import Digests
import JSONKit
import Templates

/// A random number, and the moment at which it was generated. If the seed of a run is derived from the number, the run
/// was made after this moment.
package struct Challenge: Hashable, Sendable {
  /// 32 random bytes.
  package var nonce: [UInt8]
  package var issued: Timestamp
  package var expires: Timestamp

  /// The payload type of a challenge in its envelope.
  package static let payloadType = "application/vnd.conform.challenge+json"
  private static let version = 1
  private static let nonceSize = 32

  package init(nonce: [UInt8], issued: Timestamp, expires: Timestamp) {
    self.nonce = nonce
    self.issued = issued
    self.expires = expires
  }

  /// A new challenge from the system's random source.
  package init(issued: Timestamp, validMinutes: Int) {
    var random = SystemRandomNumberGenerator()
    nonce = (0..<Self.nonceSize).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    self.issued = issued
    expires = Timestamp(milliseconds: issued.milliseconds + validMinutes * 60_000)
  }

  /// The seed of a run that answers the challenge. The kit computes the SHA-256 of the text `conform challenge 1`
  /// followed by the nonce, and takes its first 8 bytes in big-endian order.
  package var seed: UInt64 {
    SHA256.hash(Array("conform challenge \(Self.version)".utf8) + nonce).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The SHA-256 of the challenge without its envelope, in hexadecimal digits. The record of a run that answers the
  /// challenge contains it.
  package var digest: String {
    String(decoding: SHA256.hash(representation.compactText.utf8).hexadecimal, as: UTF8.self)
  }

  /// The reasons why a run does not answer the challenge, one sentence for each.
  package func problems(of header: RunRecord.Header) -> [String] {
    var problems: [String] = []
    if header.seed != seed { problems.append("the seed of the run does not follow from the challenge") }
    if header.challenge != digest { problems.append("the record does not name the challenge by its digest") }
    if let started = Timestamp(header.startedAt) {
      let isInTime = started.milliseconds >= issued.milliseconds && started.milliseconds < expires.milliseconds
      if !isInTime {
        problems.append("the run began at \(started.text), not between \(issued.text) and \(expires.text)")
      }
    }
    return problems
  }
}

extension Challenge: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("challenge", Self.version)
    members.add("nonce", String(decoding: nonce.hexadecimal, as: UTF8.self))
    members.add("issued", issued.text)
    members.add("expires", expires.text)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    let found = try field.required("challenge")
    guard try found.int() == Self.version else { throw found.problem(expected: "version \(Self.version)") }
    let text = try field.required("nonce")
    guard let bytes = try Self.bytes(text.string()), bytes.count == Self.nonceSize else {
      throw text.problem(expected: "\(Self.nonceSize) bytes as hexadecimal digits")
    }
    nonce = bytes
    issued = try field.required("issued").timestamp()
    expires = try field.required("expires").timestamp()
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[start..<start + 2], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16), pair.utf8.first != UInt8(ascii: "+") else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
