import AdapterProtocol
import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Templates

/// A no-op SDK that is generated from the definition of a protocol. A requirement that such an SDK passes is not really
/// tested.
///
/// A no-op SDK is data that a program interprets: ``init(_:)-(JSONField)`` reads what ``representation`` writes.
package struct IdleSDK: Hashable, Sendable {
  /// The kind of a no-op SDK.
  package enum Kind: String, CaseIterable, Sendable {
    /// Declares no capability and supports no command.
    case null
    /// Declares every capability and answers every command with null, even commands that do not exist.
    case agreeing
    /// Declares every capability, answers each command with a value of the correct form, and calls callbacks at once.
    case lying
    /// Like ``lying``, but it stores parameters. If a member of a later answer has the name of a parameter, the member
    /// has the stored value.
    case echoing
    /// Declares every capability and fails each command with an error kind of the protocol.
    case refusing
    /// Like ``lying``, but it also sends each golden request unchanged to every address that it receives.
    case canned
  }

  /// The answer to a command.
  package struct Answer: Hashable, Sendable {
    package var result: JSON
    /// The argument for the callback that the command registers; nil if the command registers no callback.
    package var callback: JSON?
  }

  /// A request to the service of this name.
  package struct Canned: Hashable, Sendable {
    package var service: ServiceName
    package var request: HTTPRequest
  }

  package var kind: Kind
  package var hello: AdapterHello
  package var answers: [String: Answer]
  /// The error kind of a ``Kind/refusing`` SDK.
  package var errorKind: String
  package var requests: [Canned]

  /// The name of the kind in reports, such as `null`. For each refusing SDK after the first, it also contains the error
  /// kind: `refusing (timeout)`.
  package let label: String

  /// One SDK of each kind. There is also one refusing SDK for each further error kind of the protocol, because a case
  /// that expects this error kind passes only with an SDK that returns it.
  package static func all(of catalogue: Catalogue) -> [IdleSDK] {
    Kind.allCases.flatMap { kind in
      let errors = kind == .refusing ? catalogue.definition.errorKinds.dropFirst() : []
      return [IdleSDK(kind, of: catalogue)] + errors.map { IdleSDK(kind, of: catalogue, failingWith: $0) }
    }
  }

  package init(_ kind: Kind, of catalogue: Catalogue, failingWith errorKind: String? = nil) {
    let definition = catalogue.definition
    let capabilities = definition.capabilities.filter { !Set($0.roles).isDisjoint(with: definition.drivenRoles) }
    self.kind = kind
    hello = AdapterHello(
      protocolName: definition.name, specRevision: definition.revision, name: "\(kind.rawValue)-sdk", version: "0",
      capabilities: kind == .null ? [] : capabilities.map(\.name), clocks: [.virtual, .scaled, .real], instances: .many)
    answers = Dictionary(
      definition.commands.map { ($0.name, Answer($0, isNull: kind == .agreeing)) },
      uniquingKeysWith: { first, _ in first })
    label = kind.rawValue + (errorKind.map { " (\($0))" } ?? "")
    self.errorKind = errorKind ?? definition.errorKinds.first ?? CommandError.unsupported
    requests = kind == .canned ? catalogue.exchanges.flatMap { Canned.all(of: $0, models: catalogue.models) } : []
  }
}

extension IdleSDK {
  /// The commands that the SDK supports; nil for all commands, even invented ones. Only the agreeing kind accepts
  /// invented commands, since the kit notices an SDK that accepts them.
  package var knownCommands: Set<String>? { kind == .agreeing ? nil : Set(answers.keys) }
}

extension IdleSDK.Answer {
  fileprivate init(_ command: ProtocolDefinition.Command, isNull: Bool) {
    result = isNull ? .null : JSONSchemaSample.value(of: command.result) ?? .null
    callback = isNull ? nil : command.callback.map { JSONSchemaSample.value(of: $0) ?? .null }
  }
}

extension IdleSDK.Canned {
  /// The golden requests of an exchange, one for each dialect in which the exchange has a request. Requests that need
  /// other values than `values` and the exchange's own bindings are left out.
  static func all(of exchange: Exchange, lending values: Bindings = [:], models: Template.Models) -> [Self] {
    guard let bindings = exchange.bindings(nil)?.merging(values) else { return [] }
    return exchange.requests.sorted { $0.key < $1.key }.compactMap { _, template in
      guard let request = try? template.render(bindings, models: models) else { return nil }
      return Self(service: exchange.service, request: request)
    }
  }
}

extension IdleSDK: JSONRepresentable {
  package var representation: JSON {
    let answers = self.answers.sorted { $0.key < $1.key }.map { name, answer in
      JSON.Object.Member(
        key: name, value: .object(compact: [("result", answer.result), ("callback", answer.callback)]))
    }
    return [
      "kind": .string(kind.rawValue), "label": .string(label), "hello": hello.representation,
      "errorKind": .string(errorKind), "answers": .object(JSON.Object(answers)),
      "requests": .array(requests.map(\.representation)),
    ]
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    kind = try field.required("kind").word(Kind.self)
    label = try field.required("label").string()
    hello = try AdapterHello(field.required("hello"))
    errorKind = try field.required("errorKind").string()
    answers = [:]
    for member in try field.required("answers").members() {
      answers[member.key] = Answer(
        result: member.field.value["result"] ?? .null, callback: member.field.value["callback"])
    }
    requests = []
    for one in try field.required("requests").elements() { requests.append(try Canned(one)) }
  }
}

extension IdleSDK.Canned: JSONRepresentable {
  package var representation: JSON {
    [
      "service": .string(service.rawValue), "method": .string(request.method), "target": .string(request.target),
      "headers": .array(request.headers.fields.map { .strings([$0.name, $0.value]) }),
      "body": .string(String(decoding: request.body, as: UTF8.self)),
    ]
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    service = ServiceName(try field.required("service").string())
    var headers = HTTPHeaders()
    for one in try field.required("headers").elements() {
      let parts = try one.strings()
      headers.append(parts.first ?? "", parts.last ?? "")
    }
    request = HTTPRequest(
      method: try field.required("method").string(), target: try field.required("target").string(), headers: headers,
      body: Array(try field.required("body").string().utf8))
  }
}
