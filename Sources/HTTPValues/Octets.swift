import JSONKit

/// Bytes from the wire. The kit's formats spell them as `{"text": …}` if they are UTF-8, and otherwise as `{"base64":
/// …}`.
package struct Octets: Hashable, Sendable {
  package var bytes: [UInt8]

  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The bytes as text, with U+FFFD in place of invalid UTF-8.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes as JSON; nil if they are not JSON.
  package var json: JSON? { try? JSON(parsing: bytes) }

  /// The JSON value of the bytes of a request, read with the tolerance that RFC 8259 permits. A byte order mark of
  /// UTF-8 is ignored (§8.1). If several members have the same name, the last one counts (§4). Nil if the bytes are not
  /// JSON.
  package var toleratedJSON: JSON? { (try? JSON(parsing: withoutMark))?.keepingLastMembers }

  /// The bytes without a byte order mark of UTF-8 at their beginning.
  package var withoutMark: [UInt8] { byteOrderMark == "UTF-8" ? Array(bytes.dropFirst(3)) : bytes }

  /// If the bytes begin with a byte order mark, the encoding of this mark; nil otherwise.
  package var byteOrderMark: String? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return "UTF-8" }
    return bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) ? "UTF-16" : nil
  }

  /// The reason why the bytes cannot be JSON, if the first bytes show it: they are compressed, or begin with a byte
  /// order mark. nil otherwise.
  package var reasonNotJSON: String? {
    if bytes.starts(with: [0x1F, 0x8B]) { return "the body is compressed with gzip" }
    return byteOrderMark.map { "the body begins with the byte order mark of \($0)" }
  }
}

extension Octets: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    if let text = String(validating: bytes, as: UTF8.self) {
      members.add("text", text)
    } else {
      members.add("base64", Base64.text(of: bytes))
    }
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    if let text = field.optional("text") {
      self.init(try text.string().utf8)
    } else {
      let base64 = try field.required("base64")
      guard let bytes = Base64.bytes(of: try base64.string()) else { throw base64.problem(expected: "base64") }
      self.init(bytes)
    }
  }
}
