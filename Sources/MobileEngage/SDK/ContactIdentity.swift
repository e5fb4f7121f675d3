import JSONKit

/// The identity of a user of the app: a field and its value, or a field and an OpenID token.
package struct ContactIdentity: Hashable, Sendable {
  package enum Proof: Hashable, Sendable {
    case value(String)
    case openID(String)
  }

  package var fieldID: Int
  package var proof: Proof

  package init(fieldID: Int, _ proof: Proof) {
    self.fieldID = fieldID
    self.proof = proof
  }

  /// Whether the identity is complete, so that it identifies a user.
  var isUsable: Bool {
    guard fieldID > 0 else { return false }
    return switch proof {
    case .value(let text), .openID(let text): !text.isEmpty
    }
  }
}

/// The form of an identity in the body of a link request, and in the storage.
extension ContactIdentity: JSONRepresentable {
  package var representation: JSON {
    switch proof {
    case .value(let value): ["contactFieldId": .int(fieldID), "contactFieldValue": .string(value)]
    case .openID(let token): ["contactFieldId": .int(fieldID), "openIdToken": .string(token)]
    }
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    fieldID = try field.required("contactFieldId").int()
    if let token = try field.optional("openIdToken")?.string() {
      proof = .openID(token)
    } else {
      proof = .value(try field.required("contactFieldValue").string())
    }
  }
}
