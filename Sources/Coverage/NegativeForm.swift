import ConformanceSpec

/// A form in which a case tries a negative requirement. For example, the case sends a request that the subject must
/// refuse, or searches for a secret. The forms come from mistakes of real clients, from attacks and from bugs.
package enum NegativeForm: String, CaseIterable, Sendable {
  case none, scheme, bare, query, other, wrong
  case expired, before
  case letters, twice, slash
  case echo, storage
  case user, id, second

  package var text: String {
    switch self {
    case .none: "without the credential, or with an empty one"
    case .scheme: "a valid credential with another scheme"
    case .bare: "a valid credential without its scheme"
    case .query: "a valid credential in the query"
    case .other: "the valid credential of another user, app or device"
    case .wrong: "a credential that was never issued, such as a valid one with one more letter"
    case .expired: "a credential, code or link that has expired"
    case .before: "the same one shortly before it expired"
    case .letters: "an id with its letters in another case"
    case .twice: "an existing id, encoded twice"
    case .slash: "a slash at the end of the path"
    case .echo: "a valid secret is searched for"
    case .storage: "the storage of the app is searched"
    case .user: "what existed before is used afterwards"
    case .id: "an id afterwards is compared with the id before"
    case .second: "a second user or device takes part"
    }
  }
}

extension NegativeKind {
  package var forms: [NegativeForm] {
    switch self {
    case .credential: [.none, .scheme, .bare, .query, .other, .wrong]
    case .expiry: [.expired, .before]
    case .identifier: [.letters, .twice, .slash]
    case .secret: [.echo, .storage]
    case .trace: [.storage, .user, .id, .second]
    }
  }
}
