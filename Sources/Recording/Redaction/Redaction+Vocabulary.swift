import ConformanceModel
import JSONKit
import Templates

extension Redaction {
  /// The words of HTTP that requests and answers commonly contain, in lower case.
  package static let commonWords: Set<String> = [
    "get", "head", "post", "put", "patch", "delete", "options", "trace", "connect", "http", "https", "accept",
    "authorization", "bearer", "basic", "connection", "close", "keep-alive", "content-length", "content-type", "date",
    "host", "location", "user-agent", "x-forwarded-for", "application", "json", "text", "plain", "html", "charset",
    "utf-8", "true", "false", "null", "localhost",
  ]

  /// The words that the cases of a protocol need in requests, answers and commands, in lower case: names of members,
  /// query parameters and header fields, segments of paths, commands, and kinds of errors.
  package static func vocabulary(of catalogue: Catalogue) -> Set<String> {
    let definition = catalogue.definition
    var words = commonWords
    words.formUnion(
      definition.errorKinds + definition.services.map(\.name.rawValue) + definition.dialects.map(\.rawValue))
    words.formUnion(definition.values.map(\.name) + definition.capabilities.map(\.name))
    for command in definition.commands {
      words.insert(command.name)
      for schema in [command.params, command.result, command.callback ?? .null] { words.formUnion(schema.memberNames) }
    }
    for exchange in catalogue.exchanges {
      words.insert(exchange.name)
      for request in exchange.requests.values {
        words.insert(request.method)
        words.formUnion(Array(request.query.keys) + Array(request.headers.keys) + request.path.source.wordsOfText)
        words.formUnion(request.body?.source.memberNames ?? [])
      }
      for response in exchange.responses.values.flatMap(\.values) {
        words.formUnion(response.headers.map(\.name))
        if case .json(let body) = response.body { words.formUnion(body.source.memberNames) }
      }
    }
    for model in catalogue.models.values { words.formUnion(model.source.memberNames) }
    return Set(words.map { $0.lowercased() })
  }
}

extension JSON {
  /// The names of the members at any depth, without the `?` that marks optional members.
  fileprivate var memberNames: Set<String> {
    switch self {
    case .object(let object):
      object.members.reduce(into: []) { names, member in
        names.insert(member.key.hasSuffix("?") ? String(member.key.dropLast()) : member.key)
        names.formUnion(member.value.memberNames)
      }
    case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.memberNames) }
    default: []
    }
  }

  /// The words of a text, without its holes.
  fileprivate var wordsOfText: [String] {
    let literals = HoleText(string ?? "").pieces.map { piece in
      guard case .literal(let literal) = piece else { return " " }
      return String(literal)
    }
    return literals.joined().split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }.map(String.init)
  }
}
