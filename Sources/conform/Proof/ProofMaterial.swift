import CommandInterface
import ConformanceData
import ConformanceJudge
import ConformanceModel
import MockServices
import Processes
import Proof
import ReferenceKit
import TextKit

/// Makes the subjects of a proof: conforming, defective and no-op implementations.
struct ProofMaterial {
  let subjects: Subjects
  /// The conforming third-party subjects; nil if the proof uses the references of the kit.
  let given: GivenSubjects?

  init(subjects: Subjects, given: GivenSubjects? = nil) {
    self.given = given
    var subjects = subjects
    if let called = given?.called {
      subjects.conditions.redaction = called.redaction
      Terminal.conceal(called.redaction)
    }
    self.subjects = subjects
  }

  /// The material for these parts of a proof of the references. If `wanted` names defects, only those parts get
  /// material that try defects.
  func material(of parts: Set<Proof.Part>, onlyDefects wanted: [DefectID]) throws -> Proof.Material {
    let parts = wanted.isEmpty ? parts : parts.intersection(Self.defectParts)
    let known = subjects.catalogue.defects.filter(canSwitch)
    let tried = try tried(known, parts, wanted)
    let variants = subjects.catalogue.variants + subjects.pack.variants
    var material = Proof.Material(
      judge: judge(parts),
      references: subjects.referenceRoles
        .filter { isCompared($0, tried, parts, wanted) }.map { reference("reference \($0)", $0, []) },
      referenceCases: wanted.isEmpty || !parts.isDisjoint(with: [.blame, .crosstalk]) ? [] : namedCases(of: tried),
      defective: tried.map { ($0, reference(with: $0)) },
      idle: parts.contains(.idle) ? idle(idleRoles) : [],
      variants: parts.contains(.variants)
        ? variants.filter(canSwitch).map { reference($0.id.rawValue, $0.side, [$0.id]) } : [])
    if parts.contains(.equality) {
      material.equality.judge = Judge(catalogue: subjects.catalogue, checks: subjects.pack.checks)
      material.equality.defects = Self.named(wanted, of: known).map { ($0, reference(with: $0)) }
    }
    return material
  }

  /// The parts of a proof that try defects.
  private static let defectParts: Set<Proof.Part> = [.defects, .blame, .crosstalk, .equality]

  /// The known defects with the wanted ids; all known defects if no ids are wanted.
  private static func named(_ wanted: [DefectID], of known: [Defect]) -> [Defect] {
    wanted.isEmpty ? known : known.filter { wanted.contains($0.id) }
  }

  /// A reference that has one defect.
  private func reference(with defect: Defect) -> Proof.Substitute {
    let bender = bender(of: defect)
    return reference(defect.id.rawValue, defect.side, bender == nil ? [defect.id] : [], bender)
  }

  /// `count` implementations, each with several defects at once. They are references or, if it is given, the
  /// third-party subject. A third-party subject gets only defects that are mutations of its messages, since the kit can
  /// make these from outside.
  func crosstalk(_ count: Int, seed: UInt64, onlyDefects wanted: [DefectID]) throws -> Proof.Crosstalk {
    let catalogue = subjects.catalogue
    let known = catalogue.defects.filter {
      if let given { $0.bend != nil && given.roles.contains($0.side) } else { canSwitch($0) }
    }
    let roles = given == nil ? subjects.referenceRoles.filter(catalogue.definition.drivenRoles.contains) : []
    let capabilities = roles.map { role in
      let driven = catalogue.definition.parts(of: role).driven ?? role
      return (role, catalogue.definition.capabilities(of: driven))
    }
    let canRefuse = !Restrictions.registrations(in: catalogue.definition).isEmpty
    let drawing = CrosstalkDrawing(
      catalogue: catalogue, defects: Self.named(wanted, of: known),
      capabilities: Dictionary(uniqueKeysWithValues: capabilities), early: canRefuse ? Set(roles) : [])
    let drawn = drawing.subjects(count, seed: seed)
    guard !drawn.isEmpty else {
      throw BadInput(
        "--only crosstalk needs at least two defects of one role that can be on together, found "
          + "\(Self.named(wanted, of: known).count) in all ('conform list defects' shows all)")
    }
    return Proof.Crosstalk(subjects: drawn, apart: drawing.apart) { subject in
      let bends = subject.defects.compactMap(\.bend)
      let bender = bends.isEmpty ? nil : Bender(bends, models: catalogue.models)
      if let given { return substitute(subject.name, subject.role, given, bender) }
      let switches = subject.defects.filter { $0.bend == nil }.map(\.id) + subject.restrictions
      return reference(subject.name, subject.role, Set(switches), bender)
    }
  }

  /// The defects, variants and equivalent mutants for a proof with a third-party subject.
  struct Knowledge {
    /// The defects that the subject can have, by a switch or by mutations.
    var defects: [Defect]
    /// The legal variants that the subject can have.
    var variants: [Variant]
    /// The mutations of transcripts that the cases need not detect, each with the reason.
    var reasons: [EquivalentMutant]
  }

  /// The material of a proof with third-party subjects. The kit itself makes the mutations, in the messages of a
  /// subject. It switches on all other defects and variants by environment variables. For these, the kit must start the
  /// subject.
  func material(
    of parts: Set<Proof.Part>, knowing known: Knowledge, onlyDefects wanted: [DefectID]
  ) throws -> Proof.Material {
    guard let given else { return try material(of: parts, onlyDefects: wanted) }
    let tried = try tried(known.defects.filter { given.roles.contains($0.side) }, parts, wanted)
    if !given.canBeTold, let other = tried.first(where: { $0.bend == nil }) {
      throw BadInput(
        "the defect '\(other.id)' has no 'bend': a subject that the kit does not start can only have mutations")
    }
    let parts = wanted.isEmpty ? parts : parts.intersection([.defects, .blame])
    return .init(
      judge: judge(parts), ownReasons: known.reasons,
      references: given.roles.map { substitute(given.name(of: $0), $0, given) },
      defective: tried.map { defect in
        let name = defect.id.rawValue
        let bender = bender(of: defect)
        let told = bender == nil ? given.started(with: ["CONFORM_DEFECT": name]) : given
        return (defect, substitute(name, defect.side, told, bender))
      },
      idle: parts.contains(.idle) ? idle(given.roles) : [],
      variants: parts.contains(.variants) && given.canBeTold
        ? known.variants.filter { given.roles.contains($0.side) }.map {
          substitute($0.id.rawValue, $0.side, given.started(with: ["CONFORM_VARIANT": $0.id.rawValue]))
        } : [],
      dialects: given.dialects(of: subjects.catalogue.definition))
  }

  /// The judge that judges mutants of transcripts; nil if the parts do not contain `mutants`.
  private func judge(_ parts: Set<Proof.Part>) -> Judge? {
    parts.contains(.mutants) ? Judge(catalogue: subjects.catalogue, checks: subjects.pack.checks) : nil
  }

  /// Whether a reference of the kit can have the defect, either by its own switch or by mutations of its messages.
  private func canSwitch(_ defect: Defect) -> Bool {
    defect.bend == nil
      ? subjects.pack.switches[defect.side]?.contains(defect.id) == true
      : subjects.referenceRoles.contains(defect.side)
  }

  /// Whether a reference of the kit has the switch for a variant.
  private func canSwitch(_ variant: Variant) -> Bool {
    subjects.pack.switches[variant.side]?.contains(variant.id) == true
  }

  private func bender(of defect: Defect) -> Bender? {
    defect.bend.map { Bender([$0], models: subjects.catalogue.models) }
  }

  /// Whether the proof also runs a conforming reference of the role, for comparison. If `wanted` names defects, this
  /// comparison is needed only for crosstalk, for mutations of messages of the role, and for the part `blame`.
  private func isCompared(
    _ role: Role, _ tried: [Defect], _ parts: Set<Proof.Part>, _ wanted: [DefectID]
  ) -> Bool {
    // Only the part about equal verdicts needs no conforming subject.
    guard parts != [.equality] else { return false }
    return wanted.isEmpty || parts.contains(.crosstalk)
      || tried.contains { $0.side == role && ($0.bend != nil || parts.contains(.blame)) }
  }

  /// The cases that must notice these defects. Empty, which means all cases, unless each defect names a case.
  private func namedCases(of defects: [Defect]) -> [String] {
    let names = defects.compactMap(\.caseName)
    return names.count == defects.count ? names : []
  }

  /// The defects that are tried one at a time: those that `wanted` names or, if it is empty, all known ones. Empty if
  /// the parts contain neither `defects` nor `blame`.
  private func tried(
    _ known: [Defect], _ parts: Set<Proof.Part>, _ wanted: [DefectID]
  ) throws -> [Defect] {
    for id in wanted where !known.contains(where: { $0.id == id }) {
      throw BadInput.unknown("defect", id.rawValue, known.map(\.id.rawValue), list: "defects")
    }
    guard !parts.isDisjoint(with: [.defects, .blame]) else { return [] }
    return Self.named(wanted, of: known)
  }

  private func reference(
    _ name: String, _ role: Role, _ switches: Set<DefectID>, _ bender: Bender? = nil
  ) -> Proof.Substitute {
    let subjects = self.subjects.bent(by: bender)
    return Proof.Substitute(name: name, role: role, bender: bender) { try await subjects.honest(role, nil, switches) }
  }

  private func substitute(
    _ name: String, _ role: Role, _ given: GivenSubjects, _ bender: Bender? = nil
  ) -> Proof.Substitute {
    let subjects = self.subjects.bent(by: bender)
    return Proof.Substitute(name: name, role: role, bender: bender) { try await subjects.honest(role, given) }
  }
}

// MARK: No-op implementations

extension ProofMaterial {
  /// The roles that can be tested with a no-op implementation. If a role has two subjects, only one of them is a no-op
  /// implementation, and the kit needs a reference for the other one.
  private var idleRoles: [Role] {
    let definition = subjects.catalogue.definition
    return definition.roleNames.filter { role in
      let parts = definition.parts(of: role)
      return parts.driven == nil || parts.called == nil || subjects.referenceRoles.contains(role)
    }
  }

  /// The no-op implementations for these roles. Each takes the place of one subject of its role.
  private func idle(_ roles: [Role]) -> [Proof.Substitute] {
    let definition = subjects.catalogue.definition
    return roles.flatMap { role in
      let parts = definition.parts(of: role)
      return (parts.driven.map { idleSDKs($0, of: role) } ?? [])
        + (parts.called.map { idleServers($0, of: role) } ?? [])
    }
  }

  private func idleSDKs(_ part: Role, of role: Role) -> [Proof.Substitute] {
    let (subjects, given) = (self.subjects, self.given)
    return IdleSDK.all(of: subjects.catalogue).map { sdk in
      let command = ProgramCommand(
        executable: ConformanceData.pathOfProgram, arguments: ["idle"],
        environment: [IdleCommand.variable: sdk.representation.compactText])
      return Proof.Substitute(name: Self.name(sdk.label, part, of: role), role: role, part: part) {
        try await subjects.idle(role, command, beside: given)
      }
    }
  }

  private func idleServers(_ part: Role, of role: Role) -> [Proof.Substitute] {
    let (subjects, given) = (self.subjects, self.given)
    let isBackend = subjects.catalogue.definition.ports(of: part).isBackend
    let known = (given?.called ?? (isBackend ? subjects.backend : nil))?.provisioning
    return IdleServer.Kind.allCases.compactMap { kind in
      let server = IdleServer(kind, like: known, in: subjects.catalogue)
      // A lying server needs a file with the paths of values in its answers.
      guard kind != .lying || isBackend && !server.lent.answers.isEmpty else { return nil }
      let name = Self.name(kind.rawValue, part, of: role)
      return Proof.Substitute(name: name, role: role, part: part) {
        try await subjects.idle(role, server, named: name, beside: given)
      }
    }
  }

  /// The name of a no-op implementation: `null sdk`, or `null sdk of the chain` if the role has two subjects.
  private static func name(_ kind: String, _ part: Role, of role: Role) -> String {
    part == role ? "\(kind) \(role)" : "\(kind) \(part) of the \(role)"
  }
}
