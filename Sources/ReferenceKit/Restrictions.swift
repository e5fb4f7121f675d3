import AdapterHost
import ConformanceModel
import ConformanceTranscript
import JSONKit

/// The optional parts that a reference SDK leaves out, as a third-party SDK may do: capabilities, and the registration
/// of callbacks before the set-up.
///
/// The kit derives the restrictions from the definition of a protocol, so that all reference adapters share one
/// implementation.
package struct Restrictions: Hashable, Sendable {
  /// The capabilities that the SDK does not declare.
  package var lacks: [String]
  /// The commands that need a missing capability. They are answered with an error of the kind `unsupported`.
  package var unsupported: [String]
  /// The commands that fail until a command in ``setUp`` has succeeded.
  package var early: [String]
  /// The commands that set the SDK up.
  package var setUp: [String]
  /// The commands that undo the set-up.
  package var reset: [String]
  /// The error kind of commands that fail before the set-up.
  package var errorKind: String

  /// The prefix of the ids of variants in which the SDK lacks a capability. For example, in the variant `lacks:reset`,
  /// the SDK lacks the capability `reset`.
  private static let lacking = "lacks:"
  /// The variant in which the SDK does not accept callbacks before the set-up.
  package static let earlyRefused = DefectID("early-refused")

  /// The variant in which the SDK lacks this capability.
  package static func lacking(_ capability: String) -> DefectID { DefectID(lacking + capability) }

  /// The capability that the SDK lacks in a variant; nil if the variant is not about a capability.
  package static func capability(lackedBy variant: DefectID) -> String? {
    variant.rawValue.hasPrefix(lacking) ? String(variant.rawValue.dropFirst(lacking.count)) : nil
  }

  /// Whether the variant is one of those that the kit provides for every reference. The catalogues of protocols do not
  /// list them.
  package static func reserves(_ variant: DefectID) -> Bool {
    variant == earlyRefused || capability(lackedBy: variant) != nil
  }

  /// The commands that register a callback and are not part of the set-up.
  package static func registrations(in definition: ProtocolDefinition) -> [String] {
    definition.commands.filter { command in
      let required = command.params["required"]?.array ?? []
      return command.callback != nil && required.contains("handle") && !definition.moments.setUp.contains(command.name)
    }.map(\.name)
  }

  /// The restrictions of an SDK with these variants. Only the variants that ``reserves(_:)`` accepts have an effect.
  /// Nil if ``reserves(_:)`` accepts none of the variants.
  package init?(_ variants: Set<DefectID>, in definition: ProtocolDefinition) {
    guard variants.contains(where: Self.reserves) else { return nil }
    let lacks = Set(variants.compactMap(Self.capability))
    self.lacks = lacks.sorted()
    unsupported = definition.commands.filter { !lacks.isDisjoint(with: $0.capabilities.prefix(1)) }.map(\.name)
    early = variants.contains(Self.earlyRefused) ? Self.registrations(in: definition) : []
    setUp = definition.moments.setUp
    reset = definition.moments.reset
    errorKind = definition.errorKinds.first ?? CommandError.unsupported
  }
}

extension Restrictions: JSONRepresentable {
  package var representation: JSON {
    [
      "lacks": .strings(lacks), "unsupported": .strings(unsupported), "early": .strings(early),
      "setUp": .strings(setUp), "reset": .strings(reset), "errorKind": .string(errorKind),
    ]
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    lacks = try field.required("lacks").strings()
    unsupported = try field.required("unsupported").strings()
    early = try field.required("early").strings()
    setUp = try field.required("setUp").strings()
    reset = try field.required("reset").strings()
    errorKind = try field.required("errorKind").string()
  }
}

/// Wraps another app. It rejects the commands that its restrictions name, and passes all other commands to the wrapped
/// app.
final class RestrictedApp: HostedApp {
  private let app: any HostedApp
  private let restrictions: Restrictions
  private var isSetUp = false

  init(_ app: any HostedApp, _ restrictions: Restrictions) {
    self.app = app
    self.restrictions = restrictions
  }

  func perform(_ command: String, _ params: JSON, reply: @escaping (Result<JSON, CommandError>) -> Void) {
    if restrictions.unsupported.contains(command) {
      return reply(.failure(CommandError(kind: CommandError.unsupported, message: "the SDK has no '\(command)'")))
    }
    if restrictions.early.contains(command), !isSetUp {
      return reply(.failure(CommandError(kind: restrictions.errorKind, message: "the SDK is not set up")))
    }
    if restrictions.reset.contains(command) { isSetUp = false }
    guard restrictions.setUp.contains(command) else { return app.perform(command, params, reply: reply) }
    app.perform(command, params) { outcome in
      if case .success = outcome { self.isSetUp = true }
      reply(outcome)
    }
  }

  func surround(_ facts: JSON.Object) throws { try app.surround(facts) }

  func quit() { app.quit() }
}
