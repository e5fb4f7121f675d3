import FoundationEssentials

/// Bytes from the wire, written into our formats as `{"text": …}` when they are UTF-8 and as `{"base64": …}` otherwise.
public struct Octets: Hashable, Sendable {
  public var bytes: [UInt8]

  public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The bytes as text, invalid UTF-8 repaired with U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes as JSON, nil when they are none.
  public var json: JSON? { try? JSON(parsing: bytes) }
}

extension Octets: JSONRepresentable {
  public var representation: JSON {
    if let text = String(validating: bytes, as: UTF8.self) { return ["text": .string(text)] }
    return ["base64": .string(Data(bytes).base64EncodedString())]
  }

  public init(_ field: JSONField) throws(JSONField.Problem) {
    if let text = field.optional("text") {
      self.init(try text.string().utf8)
    } else {
      let base64 = try field.required("base64")
      guard let data = Data(base64Encoded: try base64.string()) else { throw base64.problem(expected: "base64") }
      self.init(data)
    }
  }
}
