import AdapterProtocol
import ConformanceModel
import ConformanceTranscript
import JSONKit
import Processes

extension AdapterHello {
  /// Reads the outcome of `hello`. Throws for an adapter that the kit cannot work with.
  init(_ outcome: CommandOutcome, expecting protocolName: String) throws(ProgramFailure) {
    guard case .result(let value) = outcome else {
      throw ProgramFailure(
        .handshake,
        "the adapter refused 'hello' with \(outcome.view.excerpt); expected the description of the adapter: its name, version and capabilities"
      )
    }
    // The version is checked first, because the answer of a different version may have different members.
    if let version = value["protocolVersion"], version.int != AdapterRequest.protocolVersion {
      throw ProgramFailure(
        .handshake,
        "the adapter speaks version \(version.excerpt) of the adapter protocol, and the kit speaks version "
          + "\(AdapterRequest.protocolVersion): use a kit or an adapter of the other's version")
    }
    do { try self.init(JSONField(value)) } catch {
      throw ProgramFailure(
        .handshake,
        "the adapter's answer to 'hello' does not fit at \(error); correct it there as "
          + "spec/kit/adapter-protocol.md says, and declare nothing that the SDK cannot do")
    }
    guard self.protocolName == protocolName else {
      throw ProgramFailure(
        .handshake,
        "the adapter drives an SDK of the protocol '\(self.protocolName)', but the run is about "
          + "'\(protocolName)': start another adapter, or run with --protocol \(self.protocolName)")
    }
  }
}

extension AdapterHello {
  /// Throws if the adapter lists a capability, a dialect or a declared value that the protocol does not have. The name
  /// is probably misspelt, and cases would be skipped or fail without a visible reason.
  ///
  /// - Parameter declared: returns the names of the declared values that cases use. The closure is called only if the
  ///   adapter declares a value that the kit itself does not read.
  func checkNames(of definition: ProtocolDefinition, declared: () -> Set<String>) throws(ProgramFailure) {
    let roles = definition.drivenRoles
    let known = definition.capabilities.filter { $0.roles.contains(where: roles.contains) }.map(\.name)
    for (index, name) in capabilities.enumerated() where !known.contains(name) {
      throw Self.unknown("capability", name, at: "$.capabilities[\(index)]", in: known)
    }
    let spoken = definition.dialects.map(\.rawValue)
    for (index, dialect) in (dialects ?? []).enumerated() where !spoken.contains(dialect.rawValue) {
      throw Self.unknown("dialect", dialect.rawValue, at: "$.dialects[\(index)]", in: spoken)
    }
    let others = declares.members.map(\.key).filter { $0 != Self.retryWindowKey }
    guard !others.isEmpty else { return }
    let values = declared().union([Self.retryWindowKey]).sorted()
    for name in others where !values.contains(name) {
      throw Self.unknown("declared value", name, at: "$.declares", in: values)
    }
  }

  /// Throws if the list ``host`` lacks one of these abilities. The kit has all of them for this adapter. For example,
  /// the kit can kill each process that it starts. If the adapter could deny this ability, it could avoid the cases
  /// that kill the app.
  func checkHost(has abilities: Set<HostAbility>) throws(ProgramFailure) {
    guard let host, let denied = abilities.subtracting(host).min() else { return }
    throw ProgramFailure(
      .handshake,
      "the adapter's answer to 'hello' leaves out '\(denied.rawValue)' at $.host, which the kit itself makes possible for "
        + "this adapter: leave out 'host'")
  }

  /// Throws if this answer to `hello` differs from the first answer in the run. It differs if a second page, device or
  /// version connects to the kit during the run. A run is about one SDK.
  ///
  /// - Parameter place: the end of the error message. It contains where this adapter runs, as far as the kit knows.
  func checkSameness(with first: AdapterHello, at place: String) throws(ProgramFailure) {
    guard let (member, found, expected) = difference(from: first) else { return }
    throw ProgramFailure(
      .handshake,
      "another adapter than at the beginning of the run answered 'hello': its \(member) is \(found), and was "
        + "\(expected); expected one SDK in each run: close the other page, app or program\(place)")
  }

  /// The first member that differs between this answer and `first`, with its value in each; nil if the answers are
  /// equal.
  private func difference(from first: AdapterHello) -> (member: String, found: String, expected: String)? {
    func text(_ names: [String]) -> String { names.isEmpty ? "empty" : names.joined(separator: ", ") }
    let members: [(String, (AdapterHello) -> String)] = [
      ("SDK", { "'\($0.name)'" }), ("version of the SDK", { "'\($0.version)'" }),
      ("package", { $0.build.packageURL ?? "missing" }),
      ("list of files", { text($0.build.files.map { "\($0) \($1)" }.sorted()) }),
      ("revision of the specification", { "'\($0.specRevision)'" }), ("language", { $0.language ?? "missing" }),
      ("platform", { $0.platform ?? "missing" }), ("list of capabilities", { text($0.capabilities.sorted()) }),
      ("list of clocks", { text($0.clocks.map(\.rawValue).sorted()) }),
      ("list of dialects", { $0.dialects.map { text($0.map(\.rawValue).sorted()) } ?? "missing" }),
      ("member 'instances'", { $0.instances.rawValue }),
      ("list of abilities", { $0.host.map { text($0.map(\.rawValue).sorted()) } ?? "missing" }),
      ("declared value", { JSON.object($0.declares).compactText }),
    ]
    for (member, value) in members where value(self) != value(first) { return (member, value(self), value(first)) }
    return nil
  }

  private static func unknown(_ kind: String, _ name: String, at place: String, in known: [String]) -> ProgramFailure {
    let near = Nearest.words(to: name, in: known).first.map { "did you mean '\($0)'? " } ?? ""
    let list = known.isEmpty ? "there are none" : "they are " + known.joined(separator: ", ")
    return ProgramFailure(
      .handshake,
      "the adapter's answer to 'hello' has the unknown \(kind) '\(name)' at \(place): \(near)Expected a name that the "
        + "protocol has; \(list)")
  }
}
