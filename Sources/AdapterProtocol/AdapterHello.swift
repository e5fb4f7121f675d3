import ConformanceModel
import ConformanceTranscript
import JSONKit
import Templates
import TextKit

/// The answer to the command `hello`: the identity and the capabilities of an adapter and its SDK.
package struct AdapterHello: Hashable, Sendable {
  /// Whether one process of the adapter can run several apps, one after the other.
  package enum Instances: String, CaseIterable, Sendable {
    case one, many
  }

  package var protocolVersion: Int
  package var protocolName: String
  /// The revision of the specification that the SDK claims to implement.
  package var specRevision: String
  /// The name of the SDK under test.
  package var name: String
  package var version: String
  package var language: String?
  package var platform: String?
  /// The package and the files of the SDK.
  package var build: SubjectBuild
  package var capabilities: [String]
  /// The numbers, texts and booleans that the protocol lets each SDK choose, by name.
  package var declares: JSON.Object
  /// The dialects that the SDK supports; nil for all.
  package var dialects: [Dialect]?
  /// The clocks that the SDK supports; never empty.
  package var clocks: [ClockMode]
  package var instances: Instances
  /// The abilities of the kit on the adapter's machine, for example to kill processes. Nil if the adapter does not list
  /// these abilities. The kit then assumes the abilities that are usual for the adapter's ``AdapterAddress``.
  package var host: Set<HostAbility>?

  package init(
    protocolVersion: Int = AdapterRequest.protocolVersion, protocolName: String, specRevision: String, name: String,
    version: String, language: String? = nil, platform: String? = nil, build: SubjectBuild = SubjectBuild(),
    capabilities: [String] = [], declares: JSON.Object = [:], dialects: [Dialect]? = nil, clocks: [ClockMode],
    instances: Instances,
    host: Set<HostAbility>? = nil
  ) {
    self.protocolVersion = protocolVersion
    self.protocolName = protocolName
    self.specRevision = specRevision
    self.name = name
    self.version = version
    self.language = language
    self.platform = platform
    self.build = build
    self.capabilities = capabilities
    self.declares = declares
    self.dialects = dialects
    self.clocks = clocks
    self.instances = instances
    self.host = host
  }

  /// The longest pause of the SDK before it sends a failed request again; nil if the SDK does not declare this value.
  package var retryWindow: LogicalTime? {
    guard case .number(let window)? = declares[Self.retryWindowKey] else { return nil }
    return .milliseconds(window.double)
  }

  /// The name under which an SDK declares ``retryWindow``, in milliseconds.
  package static let retryWindowKey = "retryWindowMs"

  /// The description of the SDK for transcripts. It lists the abilities that are missing in ``host``, or in `abilities`
  /// if ``host`` is nil.
  package func subject(isHonest: Bool, abilities: Set<HostAbility>) -> Subject {
    Subject(
      name: name, version: version, language: language, platform: platform, capabilities: capabilities,
      isHonest: isHonest, lacks: Set(HostAbility.allCases).subtracting(host ?? abilities))
  }
}

extension AdapterHello: JSONRepresentable {
  package var representation: JSON {
    let sdk: JSON = .object(compact: [
      ("name", .string(name)), ("version", .string(version)), ("language", language.map(JSON.string)),
      ("platform", platform.map(JSON.string)), ("package", build.packageURL.map(JSON.string)),
      ("files", build.files.isEmpty ? nil : build.representation["files"]),
    ])
    return .object(compact: [
      ("protocolVersion", .int(protocolVersion)), ("protocol", .string(protocolName)),
      ("specRevision", .string(specRevision)), ("sdk", sdk), ("capabilities", .strings(capabilities)),
      ("declares", declares.members.isEmpty ? .none : .some(.object(declares))),
      ("dialects", dialects.map { .strings($0.map(\.rawValue)) }),
      ("clocks", .strings(clocks.map(\.rawValue))), ("instances", .string(instances.rawValue)),
      ("host", host.map { .strings($0.sorted().map(\.rawValue)) }),
    ])
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    try Self.refuseExcess(field)
    protocolVersion = try field.required("protocolVersion").int()
    protocolName = try field.required("protocol").string()
    specRevision = try field.required("specRevision").string()
    let sdk = try field.required("sdk")
    name = try Self.visible(sdk.required("name"))
    version = try Self.visible(sdk.required("version"))
    language = try sdk.optional("language")?.string()
    platform = try sdk.optional("platform")?.string()
    build = try SubjectBuild(sdk)
    capabilities = try field.required("capabilities").strings()
    declares = try Self.declared(field.optional("declares"))
    dialects = try field.optional("dialects")?.strings().map { Dialect($0) }
    let list = try field.required("clocks")
    clocks = []
    for element in try list.elements() { clocks.append(try element.word(ClockMode.self)) }
    if clocks.isEmpty { throw list.problem(expected: "at least one of virtual, scaled, real") }
    instances = try field.required("instances").word(Instances.self)
    guard let abilities = field.optional("host") else { return }
    var host: Set<HostAbility> = []
    for element in try abilities.elements() { host.insert(try element.word(HostAbility.self)) }
    self.host = host
  }

  /// The text of a field, which must contain a visible character.
  private static func visible(_ field: JSONField) throws(JSONField.Problem) -> String {
    let text = try field.string()
    guard text.unicodeScalars.contains(where: { !$0.isObeyed && !$0.properties.isWhitespace }) else {
      throw field.problem(expected: "a text with at least one visible character")
    }
    return text
  }

  /// Throws for a text with more than ``Bounds/helloText`` characters, and for a list or an object with more than
  /// ``Bounds/helloNames`` elements.
  private static func refuseExcess(_ field: JSONField) throws(JSONField.Problem) {
    switch field.value {
    case .string(let text):
      guard text.unicodeScalars.count <= Bounds.helloText else {
        throw JSONField.Problem(
          path: field.path, expected: "a text of at most \(Bounds.helloText) characters",
          found: "one of \(text.unicodeScalars.count)")
      }
    case .array(let elements):
      try refuse(elements.count, at: field)
      for element in try field.elements() { try refuseExcess(element) }
    case .object(let object):
      try refuse(object.members.count, at: field)
      for member in object.members {
        let key = field.path.appending(key: String(member.key.prefix(Bounds.helloText)))
        try refuseExcess(JSONField(.string(member.key), path: key))
        try refuseExcess(JSONField(member.value, path: key))
      }
    default: break
    }
  }

  private static func refuse(_ count: Int, at field: JSONField) throws(JSONField.Problem) {
    guard count > Bounds.helloNames else { return }
    throw JSONField.Problem(path: field.path, expected: "at most \(Bounds.helloNames) of them", found: "\(count)")
  }

  private static func declared(_ field: JSONField?) throws(JSONField.Problem) -> JSON.Object {
    guard let field else { return [:] }
    guard case .object(let object) = field.value else { throw field.problem(expected: "values by name") }
    for member in object.members {
      let value = try field.required(member.key)
      switch value.value {
      case .number, .string, .bool: break
      default: throw value.problem(expected: "a number, a text or a boolean")
      }
    }
    if let window = field.optional(retryWindowKey), try window.double() < 0 {
      throw window.problem(expected: "milliseconds, 0 or more")
    }
    return object
  }
}
