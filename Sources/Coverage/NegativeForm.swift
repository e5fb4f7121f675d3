/// A form in which a case tries a refusal or a secret, as real clients, attackers and bugs do.
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

/// A kind of requirement that something is refused, kept secret or left as it was.
package enum NegativeKind: String, CaseIterable, Sendable {
  case credential, expiry, identifier, secret, trace

  package var forms: [NegativeForm] {
    switch self {
    case .credential: [.none, .scheme, .bare, .query, .other, .wrong]
    case .expiry: [.expired, .before]
    case .identifier: [.letters, .twice, .slash]
    case .secret: [.echo, .storage]
    case .trace: [.storage, .user, .id, .second]
    }
  }

  /// Whether a sentence is of this kind. The words of the sentence decide it; a push token is an address and not a
  /// secret.
  package func includes(_ sentence: String) -> Bool {
    let text = sentence.replacing(/push tokens?/, with: "")
    return switch self {
    case .credential:
      Self.refuses(text) && text.contains(/credential|\bkeys?\b|token|session|never issued/)
        && !(text.contains("expired") && !text.contains("unknown"))
    case .expiry: Self.refuses(text) && text.contains(/expired/)
    case .identifier: Self.refuses(text) && Self.names(text)
    case .secret:
      Self.keepsSecret(text.replacing(/\ while .*/, with: ""))
        && text.contains(/\b[Kk]ey\b|[Tt]oken|secret|credential|user id/)
    case .trace: text.contains(/refus|reject|fail|remove|expired|[Rr]eset|Clear|cleared/) && Self.leaves(text)
    }
  }

  /// Whether a sentence demands that something is refused. A condition such as "when the platform refuses" does not
  /// demand this.
  private static func refuses(_ text: String) -> Bool {
    text.contains(
      #/
      \b(refuse|reject|hide)\s | (answer|refuse)[^.]*\swith\s(40[134]|4xx)
      | only\sto\s(apps|a\skey) | access\sto\sits\sown
      /#)
  }

  private static func names(_ text: String) -> Bool {
    text.contains(/install|\bids?\b|\bcode\b|\blink\b|path/)
      && text.contains(
        #/
        not\sexist | unknown\s(code|app) | not\sknow | belongs\sto\sanother | switched\soff | expired | deleted
        | disabled | 404
        /#)
  }

  private static func keepsSecret(_ text: String) -> Bool {
    text.contains(
      #/
      NOT\s(put|use)\s | NOT\ssend\s.*(token|key|user\sid)\s | out\sof | in\smemory\sonly | from\sthis\shost
      | send\sneither | JSON\swithout
      /#)
  }

  private static func leaves(_ text: String) -> Bool {
    text.contains(
      #/
      (change|do)\snothing | leave\s[^.]*(unchanged|untouched|no|none|and\swith) | MUST\sremove | none\sof
      | nothing\sof | keep\sthe\suser | stay\sactive | stay\sin\suse
      /#)
  }
}
