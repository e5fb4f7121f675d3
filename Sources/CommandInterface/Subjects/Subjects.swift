import ConformanceBench
import ConformanceData
import ConformanceModel
import ConformancePack
import ConformanceRunner
import FoundationEssentials
import MockServices
import Processes
import ReferenceKit
import Subjects
import TextKit

/// Connects the kit with the subjects that the command line names, or with the references.
package struct Subjects {
  package let catalogue: Catalogue
  package let pack: ProtocolPack
  package var conditions: RunConditions
  /// The reference backend; nil if the protocol has no reference backend.
  package var backend: CalledSubject?

  package init(catalogue: Catalogue, pack: ProtocolPack, conditions: RunConditions, backend: CalledSubject? = nil) {
    self.catalogue = catalogue
    self.pack = pack
    self.conditions = conditions
    self.backend = backend
  }

  /// Ends all processes that the kit started for subjects, and deletes the data that the subjects have stored. Every
  /// command calls this last.
  package static func leave() async {
    await CarrierProgram.shared.end()
    if let remains = RunFolder.removeOwn() { Terminal.error("conform: \(remains)\n") }
  }

  /// A copy that mutates messages with this mutator.
  package func bent(by bender: Bender?) -> Subjects {
    var subjects = self
    subjects.conditions.bender = bender
    return subjects
  }

  /// The roles that references play. A chain or pair is included if there are references for both its parts.
  package var referenceRoles: [Role] { pack.referenceRoles(of: catalogue.definition) }

  /// Connects the subjects of a role: the subjects that the options name, otherwise the embedded references.
  package func plugIn(
    _ role: Role, _ options: SubjectOptions, _ called: CalledSubject?, dialects: [Dialect]
  ) async throws -> Testbed {
    let parts = catalogue.definition.parts(of: role)
    let command: ProgramCommand? =
      if let given = try await options.adapterCommand() { given } else {
        try parts.driven.map { try reference(options.switches($0, of: pack, in: catalogue)) }
      }
    var subject: Testbed.Called?
    if let called {
      subject = try await called.plugIn(
        catalogue.definition.calledRole(of: role), catalogue, dialects: dialects, conditions)
    } else if let part = parts.called, referenceRoles.contains(part) {
      subject = try await reference(part, as: role, options.switches(part, of: pack, in: catalogue))
    }
    let bends = try options.bends(role, in: catalogue)
    let bender = bends.isEmpty ? conditions.bender : Bender(bends, models: catalogue.models)
    return try await bent(by: bender).open(role, parts.driven == nil ? nil : command, subject)
  }

  /// The roles of subjects that have an adapter and offer no service.
  package var drivenRoles: [Role] {
    catalogue.definition.roles.filter { $0.ports.hasDriver && $0.ports.downstream.isEmpty }.map(\.role)
  }

  /// Connects conforming subjects for all parts of a role: the subjects that the options name, otherwise the
  /// references. `switches` are the defects and variants that are switched on in references.
  package func honest(
    _ role: Role, _ given: GivenSubjects? = nil, _ switches: Set<DefectID> = []
  ) async throws -> Testbed {
    let command = try honestCommand(of: role, given, switches)
    return try await open(role, command, honestCalled(of: role, given, switches))
  }

  /// A testbed in which the adapter is a no-op implementation. If the role also includes a server or backend, that one
  /// conforms.
  package func idle(_ role: Role, _ command: ProgramCommand, beside given: GivenSubjects?) async throws -> Testbed {
    try await open(role, command, honestCalled(of: role, given, []))
  }

  package func honestCommand(
    of role: Role, _ given: GivenSubjects?, _ switches: Set<DefectID>
  ) throws -> ProgramCommand? {
    guard catalogue.definition.parts(of: role).driven != nil else { return nil }
    return try given?.sdk ?? reference(switches)
  }

  private func honestCalled(
    of role: Role, _ given: GivenSubjects?, _ switches: Set<DefectID>
  ) async throws -> Testbed.Called? {
    let definition = catalogue.definition
    guard let part = definition.parts(of: role).called else { return nil }
    guard let given, let called = given.called else { return try await reference(part, as: role, switches) }
    return try await called.plugIn(
      definition.calledRole(of: role), catalogue, dialects: given.dialects(of: definition), conditions)
  }

  package func open(_ role: Role, _ driven: ProgramCommand?, _ called: Testbed.Called?) async throws -> Testbed {
    do {
      return try await Testbed.open(
        role, driven: driven, called: called, catalogue: catalogue, pack: pack, conditions: conditions)
    } catch {
      await called?.release()
      throw error
    }
  }

  /// The command that starts the adapter of the reference SDK.
  private func reference(_ switches: Set<DefectID>) throws -> ProgramCommand {
    guard let name = pack.adapterExecutable else {
      throw BadInput("the kit carries no SDK for \(pack.name): give the command of an adapter with --sdk")
    }
    let executable = try programOfReference("SDK", name, instead: "--sdk")
    let variants = Set(catalogue.variants.map(\.id))
    let own = switches.filter { !Restrictions.reserves($0) }
    let options = own.sorted().flatMap { [variants.contains($0) ? "--variant" : "--defect", $0.rawValue] }
    let restrictions = Restrictions(switches, in: catalogue.definition).map {
      ["--restrictions", $0.representation.compactText]
    }
    return ProgramCommand(executable: executable, arguments: options + (restrictions ?? []))
  }

  /// The reference server or backend for a role that includes one.
  private func reference(
    _ part: Role, as role: Role, _ switches: Set<DefectID>
  ) async throws -> Testbed.Called {
    guard !catalogue.definition.ports(of: part).isBackend else {
      guard let backend else { throw BadInput("the kit carries no backend for \(pack.name): give one with --backend") }
      if let program = try backend.provisioning.start?.program.first?.renderText([:]) {
        _ = try programOfReference("backend", program, instead: "--backend")
      }
      return try await backend.plugIn(role, catalogue, dialects: catalogue.definition.dialects, conditions)
    }
    return try await referenceServer(part, switches)
  }

  /// The path of a reference's program. The build places it in the folder of this program.
  private func programOfReference(_ part: String, _ name: String, instead option: String) throws -> String {
    try SiblingProgram(
      name: name,
      remedy: "it is the reference \(part) of \(pack.name). In a checkout 'bin/conform' builds it; name another "
        + "\(part) with \(option)"
    ).path
  }

  private func referenceServer(_ role: Role, _ switches: Set<DefectID>) async throws -> Testbed.Called {
    let pack = self.pack
    let seed = conditions.seed
    return try await embeddedServer("reference server", role) { .model(pack.makeServer($0, seed, switches)) }
  }

  package func embeddedServer(
    _ name: String, _ role: Role, _ makeServer: @escaping @Sendable (Dialect) -> EmbeddedServer.Behaviour
  ) async throws -> Testbed.Called {
    try await Testbed.embedded(
      name, role: role, dialects: catalogue.definition.dialects, catalogue: catalogue, pack: pack,
      kit: conditions.kit, makeServer: makeServer)
  }
}

extension ProtocolPack {
  /// The roles that references can play. A role with an adapter needs a reference SDK. A role that offers a service
  /// needs a reference server, or a reference backend if it also calls services. A chain or pair needs two references.
  func referenceRoles(of definition: ProtocolDefinition) -> [Role] {
    definition.roles.map(\.role).filter { role in
      let parts = definition.parts(of: role)
      guard parts.driven != nil || parts.called != nil else { return false }
      return (parts.driven == nil || adapterExecutable != nil)
        && parts.called.map { hasReference(of: definition.ports(of: $0)) } ?? true
    }
  }

  private func hasReference(of ports: Ports) -> Bool { ports.isBackend ? binding != nil : hasReferenceServer }
}

extension Ports {
  /// Whether the subject offers a service and calls no service.
  var isServer: Bool { !hasDriver && !downstream.isEmpty && upstream.isEmpty }

  /// Whether the subject offers a service and calls services.
  package var isBackend: Bool { !hasDriver && !downstream.isEmpty && !upstream.isEmpty }
}
