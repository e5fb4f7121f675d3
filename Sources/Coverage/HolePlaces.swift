import ConformanceModel
import ConformanceSpec
import JSONKit
import Templates

/// The places of an exchange's holes in a JSON body and in header fields. A case can write its own value at such a
/// place. The value then counts as a value of the hole.
struct HolePlaces {
  /// A hole in the body, and its path.
  private struct Member {
    var path: MemberPath
    var hole: String
  }

  /// A header field that ends with a hole, and the text before the hole, such as `Bearer `.
  private struct Field {
    var name: String
    var before: String
    var hole: String
  }

  private var members: [Member] = []
  private var fields: [Field] = []

  /// The holes of the requests in all dialects.
  init(requestsOf exchange: Exchange) {
    for request in exchange.requests.values {
      read(request.body)
      for (name, template) in request.headers { read(template, inField: name) }
    }
  }

  /// The holes of the response with this name in all dialects.
  init(responses name: String, of exchange: Exchange) {
    for response in (exchange.responses[name] ?? [:]).values {
      if case .json(let template) = response.body { read(template) }
      for field in response.headers { read(field.value, inField: field.name) }
    }
  }

  private mutating func read(_ body: Template?) {
    members += (body?.node.leafNodes(at: MemberPath()) ?? []).compactMap { path, node in
      if case .hole(let hole) = node { hole.name.map { Member(path: path, hole: $0) } } else { nil }
    }
  }

  private mutating func read(_ template: Template, inField name: String) {
    guard let text = template.source.string, let hole = text.holes.first, text.holes.count == 1, text.last == "}"
    else { return }
    let name = name.hasSuffix("?") ? String(name.dropLast()) : name
    fields.append(Field(name: name.lowercased(), before: String(text.prefix { $0 != "$" }), hole: hole))
  }

  /// The values that holes get when a case writes a value at a path of the body. The first step of a result's path is
  /// the name of the hole, and the other steps lead to a member inside the hole's value.
  func values(in value: JSON, at path: MemberPath) -> [(path: MemberPath, value: JSON)] {
    members.flatMap { member -> [(MemberPath, JSON)] in
      if member.path.leads(to: path) {
        return [(MemberPath([member.hole] + path.steps.dropFirst(member.path.steps.count)), value)]
      }
      guard path.leads(to: member.path) else { return [] }
      return value.parts(at: member.path.steps.dropFirst(path.steps.count)).map { (MemberPath([member.hole]), $0) }
    }
  }

  /// The values that holes get when a case sets a header field.
  func values(inField name: String, _ text: String) -> [(path: MemberPath, value: JSON)] {
    fields.filter { $0.name == name.lowercased() && text.hasPrefix($0.before) }.map {
      (MemberPath([$0.hole]), .string(String(text.dropFirst($0.before.count))))
    }
  }
}

extension JSON {
  /// The parts of the value at a path. The step ``MemberPath/element`` means every element of a list.
  fileprivate func parts(at steps: ArraySlice<String>) -> [JSON] {
    guard let step = steps.first else { return [self] }
    let rest = steps.dropFirst()
    if step == MemberPath.element {
      let list = self["$list"].map { [$0] } ?? array ?? []
      return list.flatMap { $0.parts(at: rest) }
    }
    return (self[step] ?? self["\(step)?"]).map { $0.parts(at: rest) } ?? []
  }
}
