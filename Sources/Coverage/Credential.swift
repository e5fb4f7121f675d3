import ConformanceModel
import JSONKit
import Templates

/// A value that a request of a case puts in the place of a credential.
struct Credential {
  /// The value: a text with holes, or nil if the case removes the credential.
  var text: String?
  /// The text before the credential in the golden request, such as `Bearer `.
  var scheme = ""
  /// Whether ``text`` is the whole value of a header field, so that it includes the scheme.
  var isField = false

  /// Whether a member, field or hole of this name contains a credential. A push token does not count as a credential,
  /// since it is only the address of a device.
  static func isNamed(by name: String) -> Bool {
    let name = name.lowercased()
    return !name.contains("push") && words.contains(where: name.contains)
  }

  private static let words = ["auth", "key", "token", "secret", "session", "password", "credential", "refresh"]

  /// The name of the hole, if the text is one hole, after the scheme where the field has a scheme. A client sends a
  /// credential in this form. nil for any other text.
  var whole: String? {
    guard let text, case let pieces = HoleText(text).pieces, case .hole(_, let inside)? = pieces.last else {
      return nil
    }
    let before = pieces.dropLast().map(\.literal)
    return before == [] && !(isField && !scheme.isEmpty) || isField && before == [scheme]
      ? inside.name : nil
  }

  /// The negative form that the text tries; nil if the text is a credential in the form in which a client sends it.
  var form: NegativeForm? {
    guard let text, !text.isEmpty else { return NegativeForm.none }
    if whole != nil { return whole?.contains(".$") == true ? .wrong : nil }
    let pieces = HoleText(text).pieces
    let words = text.split(separator: " ")
    guard pieces.contains(where: { $0.literal == nil }) else {
      if isField, words.count == 1, text + " " == scheme { return NegativeForm.none }
      return isField && words.count == 2 && words[0] + " " != scheme && !scheme.isEmpty ? .scheme : .wrong
    }
    guard isField, pieces.last?.literal == nil else { return .wrong }
    if pieces.count == 1 { return .bare }
    return words.count == 2 && pieces.count == 2 && pieces[0].literal?.hasSuffix(" ") == true ? .scheme : .wrong
  }
}

extension HoleText.Piece {
  /// The text of a literal piece; nil for a hole.
  var literal: String? { if case .literal(let text) = self { String(text) } else { nil } }
}

extension Substring {
  /// The name of a hole, without its kind.
  var name: String { String(prefix { $0 != ":" }) }
}

extension String {
  /// The names of the holes of a text.
  var holes: [String] {
    HoleText(self).pieces.compactMap { if case .hole(_, let inside) = $0 { inside.name } else { nil } }
  }
}

extension JSON {
  /// Every text in the value, with the name of its member.
  func texts(at name: String = "") -> [(name: String, text: String)] {
    switch self {
    case .string(let text): [(name, text)]
    case .array(let elements): elements.flatMap { $0.texts(at: name) }
    case .object(let object): object.members.flatMap { $0.value.texts(at: $0.key) }
    case .null, .bool, .number: []
    }
  }
}

extension JSON {
  /// The names of all members in the value. The words of constraints, which begin with `$`, are left out.
  var names: [String] {
    switch self {
    case .array(let elements): elements.flatMap(\.names)
    case .object(let object): object.members.flatMap { [$0.key] + $0.value.names }.filter { !$0.hasPrefix("$") }
    default: []
    }
  }
}

extension Exchange {
  /// The golden request, in the first dialect that has one; nil if the binding file of the subject defines the request.
  private var request: Request? { requests.min { $0.key.rawValue < $1.key.rawValue }?.value }

  /// The header fields that contain a credential. `scheme` is the text before the credential, and `hole` is the name of
  /// its hole.
  private var fields: [(name: String, scheme: String, hole: String, isOptional: Bool)] {
    (request?.headers ?? [:]).compactMap { name, template in
      guard Credential.isNamed(by: name), let text = template.source.string, let hole = text.holes.first else {
        return nil
      }
      return (name.plain, HoleText(text).pieces.first?.literal ?? "", hole, name.hasSuffix("?"))
    }
  }

  /// The names of the holes in those members of the body that have the name of a credential.
  private var bodyHoles: Set<String> {
    Set(request?.body?.source.texts().filter { Credential.isNamed(by: $0.name) }.flatMap(\.text.holes) ?? [])
  }

  /// Whether a header field has a scheme before its credential.
  var hasScheme: Bool { fields.contains { !$0.scheme.isEmpty } }

  /// The names of the holes in the path.
  var pathHoles: [String] { request?.path.fullHoleNames ?? [] }

  /// The credentials in a request of a case, with the changes that the case makes in them.
  func credentials(of send: Step.Send) -> [Credential] {
    let given = send.with.source.object?.members ?? []
    let placed = Set(fields.map(\.hole))
    let others = given.filter { part in
      bodyHoles.contains(part.key.plain) || Credential.isNamed(by: part.key) && !placed.contains(part.key.plain)
    }
    let inHeader = fields.compactMap { field -> Credential? in
      if let changed = send.headers.first(where: { $0.key.lowercased() == field.name.lowercased() }) {
        return Credential(text: changed.value?.source.string, scheme: field.scheme, isField: true)
      }
      if let own = given.first(where: { $0.key.plain == field.hole }) { return Credential(text: own.value.string) }
      // A request that has its credential in the body needs no other credential.
      guard field.isOptional else { return Credential(text: "${\(field.hole)}") }
      return others.isEmpty ? Credential(text: nil) : nil
    }
    let edited = send.edits.filter { Credential.isNamed(by: $0.path.description) }
    return inHeader + others.map { Credential(text: $0.value.string) }
      + edited.map { Credential(text: $0.value?.source.string) }
  }
}

extension String {
  /// The name of a member, without the question mark that makes a member optional.
  fileprivate var plain: String { hasSuffix("?") ? String(dropLast()) : self }
}
