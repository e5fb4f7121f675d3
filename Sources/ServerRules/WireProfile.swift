import ConformanceModel
import HTTPValues
import JSONKit
import Templates

/// A second form of the exchanges of a protocol, which subjects use in place of the form in the cases. The two forms
/// can have different methods, paths, header fields and names of members.
///
/// Both forms have the same holes. In a request, each value at a hole is moved to the place that the hole with the same
/// name has in the form of the cases. In an answer, values are moved in the other direction. A value that belongs to no
/// hole stays where it is, so that claims can still examine it.
package struct WireProfile: Sendable {
  /// The result of reading a request.
  package enum Reading: Sendable {
    /// A request of the profile, translated into the form that cases use.
    case translated(HTTPRequest)
    /// A request in the form of the cases. Since the profile replaces this form, a subject must not send it, and the
    /// request belongs to no exchange. The text is the name of the exchange whose form the request has.
    case replaced(String)
    /// A request that has neither the form of the profile nor a form that the profile replaces.
    case other
  }

  private let own: [String: Exchange]
  private let spoken: [String: Exchange]
  private let ownTable: ExchangeTable
  private let spokenTable: ExchangeTable
  private let dialect: Dialect
  private let models: Template.Models

  /// `spoken` are the exchanges in the form that subjects use. For each of them, `own` must contain the exchange with
  /// the same name in the form that cases use.
  package init(_ own: [Exchange], spokenAs spoken: [Exchange], dialect: Dialect, models: Template.Models) {
    let replaced = own.filter { one in spoken.contains { $0.name == one.name } }
    self.own = Dictionary(replaced.map { ($0.name, $0) }) { first, _ in first }
    self.spoken = Dictionary(spoken.map { ($0.name, $0) }) { first, _ in first }
    ownTable = ExchangeTable(replaced, dialect: dialect)
    spokenTable = ExchangeTable(spoken, dialect: dialect)
    self.dialect = dialect
    self.models = models
  }

  /// Translates the request of a subject into the form that cases use. The request's target must not contain the path
  /// of the service's base URL.
  package func read(_ request: HTTPRequest, at service: ServiceName) -> Reading {
    func exchange(_ table: ExchangeTable) -> Exchange? {
      table.exchange(method: request.method, path: request.path, query: request.queryItems, at: service)
    }
    if let other = exchange(spokenTable), let way = other.request(in: dialect),
      let known = own[other.name]?.request(in: dialect)
    {
      return .translated(translated(request, from: way, to: known))
    }
    return exchange(ownTable).map { .replaced($0.name) } ?? .other
  }

  private func translated(
    _ request: HTTPRequest, from way: Exchange.Request, to known: Exchange.Request
  ) -> HTTPRequest {
    var request = request
    var values = way.path.match(.string(request.path)).bindings
    var query = request.queryItems
    for (name, template) in way.query {
      guard let index = query.firstIndex(where: { $0.name == name }) else { continue }
      values = template.match(.string(query[index].value), bindings: values).bindings
      query.remove(at: index)
    }
    for (name, template) in way.headers {
      let field = name.hasSuffix("?") ? String(name.dropLast()) : name
      let same = known.headers.contains { $0.key.lowercased() == name.lowercased() && $0.value == template }
      guard !same, let text = request.headers[field] else { continue }
      // A value that does not match the profile stays as it is.
      guard let found = template.captures(from: .string(text)) else { continue }
      values = values.merging(found)
      request.headers[field] = nil
    }
    for (name, template) in known.headers {
      let field = name.hasSuffix("?") ? String(name.dropLast()) : name
      guard request.headers[field] == nil, let text = try? template.renderText(values) else { continue }
      request.headers[field] = text
    }
    for (name, template) in known.query {
      if let text = try? template.renderText(values) { query.append((name: name, value: text)) }
    }
    if let path = try? known.path.renderText(values) {
      let items = query.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
      request.target = path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }
    request.method = known.method
    if let body = Octets(request.body).toleratedJSON, let from = way.body, let to = known.body {
      request.body = body.moving(from.places, to: to.places).compactBytes
    }
    return request
  }

  /// Translates an answer into the form that the subject expects.
  package func write(_ response: HTTPResponse, to exchange: String) -> HTTPResponse {
    guard let known = own[exchange], let way = spoken[exchange], let body = try? JSON(parsing: response.body) else {
      return response
    }
    let fitting = known.responses.keys.compactMap { name -> (Exchange.Response, Template, Exchange.Response)? in
      guard let one = known.response(name, in: dialect), case .json(let template) = one.body,
        one.status == response.status, let other = way.response(name, in: dialect),
        template.fits(body, models: models)
      else { return nil }
      return (one, template, other)
    }
    // Several responses may match, since objects are open. The one with the most members wins.
    guard let (_, template, other) = fitting.max(by: { $0.1.weight < $1.1.weight }), case .json(let target) = other.body
    else { return response }
    var answer = response
    answer.status = other.status
    answer.body =
      body.moving(template.places, to: target.places).replacing(template.literals, with: target.literals).compactBytes
    return answer
  }
}

extension Template {
  /// Maps the name of each hole to the paths at which the hole occurs.
  fileprivate var places: [String: [JSONPath]] {
    node.leaves(at: .root).reduce(into: [:]) { places, leaf in
      if case .hole(let hole) = leaf.node, let name = hole.name { places[name, default: []].append(leaf.path) }
    }
  }

  /// The members with a fixed value, by their paths.
  fileprivate var literals: [JSONPath: JSON] {
    node.leaves(at: .root).reduce(into: [:]) { literals, leaf in
      if case .literal(let value) = leaf.node, leaf.path != .root { literals[leaf.path] = value }
    }
  }

  /// The number of values in the template. A template with more values is more specific.
  fileprivate var weight: Int { node.leaves(at: .root).count }
}

extension Template.Node {
  fileprivate func leaves(at path: JSONPath) -> [(path: JSONPath, node: Self)] {
    switch self {
    case .object(let members): members.flatMap { $0.value.leaves(at: path.appending(key: $0.key)) }
    case .literal(.object(let object)):
      object.members.flatMap { Template.Node.literal($0.value).leaves(at: path.appending(key: $0.key)) }
    default: [(path, self)]
    }
  }
}

extension JSON {
  /// A copy of the value. For each name, the values at the name's paths in `from` are moved to its paths in `to`.
  fileprivate func moving(_ from: [String: [JSONPath]], to: [String: [JSONPath]]) -> JSON {
    var result = self
    var moved: [(path: JSONPath, value: JSON)] = []
    for (name, paths) in from {
      guard let target = to[name], target != paths, let value = paths.lazy.compactMap({ self[$0] }).first else {
        continue
      }
      for path in paths where self[path] != nil { result = result.removing(path) }
      moved += target.map { ($0, value) }
    }
    for (path, value) in moved { result = result.setting(value, at: path) }
    return result
  }

  fileprivate func replacing(_ old: [JSONPath: JSON], with new: [JSONPath: JSON]) -> JSON {
    var result = self
    for (path, value) in old where new[path] == nil && result[path] == value { result = result.removing(path) }
    for (path, value) in new where old[path] == nil { result = result.setting(value, at: path) }
    return result
  }

  /// The value without the member at a path, and without objects that become empty.
  private func removing(_ path: JSONPath) -> JSON {
    var result = setting(nil, at: path)
    var parent = JSONPath(path.steps.dropLast())
    while !parent.steps.isEmpty, result[parent]?.object?.members.isEmpty == true {
      result = result.setting(nil, at: parent)
      parent = JSONPath(parent.steps.dropLast())
    }
    return result
  }
}
