import HTTPValues
import JSONKit

/// A signed payload: a DSSE envelope, version 1 (github.com/secure-systems-lab/dsse).
package struct Envelope: Hashable, Sendable {
  /// One signature, with the id of its key.
  package struct Signature: Hashable, Sendable {
    package var keyID: String
    package var bytes: [UInt8]
  }

  /// The largest number of signatures of one envelope.
  private static let mostSignatures = 16

  /// The payload type of in-toto.
  package static let payloadType = "application/vnd.in-toto+json"

  /// The payload type of this envelope. It is part of the signed bytes, so a signature is invalid for the same payload
  /// with a different type.
  package let type: String
  package var payload: [UInt8]
  package var signatures: [Signature] = []

  package init(type: String = Self.payloadType, payload: [UInt8]) {
    self.type = type
    self.payload = payload
  }

  /// The bytes that are signed: the pre-authentication encoding of the payload.
  package var signedBytes: [UInt8] {
    Array("DSSEv1 \(type.utf8.count) \(type) \(payload.count) ".utf8) + payload
  }

  /// Signs the payload with a key. Throws if the key has already signed it.
  package mutating func sign(with key: SigningKey) throws(KeyProblem) {
    try add(key.signature(of: signedBytes), by: key.publicKey)
  }

  /// Adds a signature that another tool has made: the first of `signatures` that is valid for this payload and this
  /// key.
  package mutating func add(
    anyOf signatures: [[UInt8]], by key: VerificationKey, named name: String
  ) throws(KeyProblem) {
    guard let signature = signatures.first(where: { key.accepts($0, of: signedBytes) }) else {
      throw KeyProblem("no signature of \(key.id) fits the statement '\(name)': sign the bytes of its .pae file")
    }
    try add(signature, by: key)
  }

  private mutating func add(_ signature: [UInt8], by key: VerificationKey) throws(KeyProblem) {
    guard !isSigned(by: key) else { throw KeyProblem("\(key.id) has already signed this bundle") }
    signatures.append(Signature(keyID: key.id, bytes: signature))
  }

  /// The bytes of the file for this envelope. The kit accepts no other form of the file. So the file cannot contain a
  /// further member, which no signature would cover.
  package var file: [UInt8] { Array((representation.compactText + "\n").utf8) }

  /// Whether the key signed the payload. The key id in a signature is not signed, so each signature is tried.
  package func isSigned(by key: VerificationKey) -> Bool {
    signatures.contains { key.accepts($0.bytes, of: signedBytes) }
  }
}

extension Envelope: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("payloadType", type)
    members.add("payload", Base64.text(of: payload))
    members.add("signatures", signatures)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) { try self.init(field, type: Self.payloadType) }

  /// Reads an envelope. Throws if its payload has a different type.
  package init(_ field: JSONField, type: String) throws(JSONField.Problem) {
    let found = try field.required("payloadType")
    guard try found.string() == type else { throw found.problem(expected: "'\(type)'") }
    self.type = type
    payload = try field.required("payload").base64()
    signatures = []
    let list = try field.required("signatures")
    let elements = try list.elements()
    guard elements.count <= Self.mostSignatures else {
      throw JSONField.Problem(
        path: list.path, expected: "at most \(Self.mostSignatures) signatures", found: "\(elements.count)")
    }
    for element in elements { signatures.append(try Signature(element)) }
  }

  /// Reads the bytes of a file. Throws ``JSON/SyntaxError`` or ``JSONField/Problem`` if they differ from the ``file``
  /// of the envelope in them.
  package init(file bytes: [UInt8]) throws {
    let field = JSONField(try JSON(parsing: bytes))
    try self.init(field)
    guard file == bytes else {
      throw JSONField.Problem(
        path: field.path, expected: "the members payloadType, payload and signatures as the kit writes them",
        found: "other members, spaces or another order")
    }
  }
}

extension Envelope.Signature: JSONObjectEncodable {
  /// The size of an Ed25519 signature, in bytes.
  private static let size = 64
  /// The largest length of the id of a key in bytes: `sha256:` and 64 digits.
  private static let longestKeyID = 71

  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("keyid", keyID)
    members.add("sig", Base64.text(of: bytes))
  }

  fileprivate init(_ field: JSONField) throws(JSONField.Problem) {
    let name = try field.required("keyid")
    keyID = try name.string()
    guard keyID.utf8.count <= Self.longestKeyID else {
      throw JSONField.Problem(
        path: name.path, expected: "at most \(Self.longestKeyID) bytes", found: "\(keyID.utf8.count) bytes")
    }
    let text = try field.required("sig")
    bytes = try text.base64()
    guard bytes.count == Self.size else {
      throw JSONField.Problem(
        path: text.path, expected: "an Ed25519 signature of \(Self.size) bytes", found: "\(bytes.count) bytes")
    }
  }
}

extension JSONField {
  fileprivate func base64() throws(Problem) -> [UInt8] {
    guard let bytes = Base64.bytes(of: try string()) else { throw problem(expected: "base64") }
    return bytes
  }
}
