import ConformanceModel

/// The ports that a case is plugged into, its clock, and the book that everything is written into.
struct CasePorts: Sendable {
  let catalogue: Catalogue
  let header: TranscriptHeader
  let recorder: Recorder
  let pacer: Pacer
  let upstreams: [String: Upstream]
  let sdk: Driver?
  let server: Downstream?
  let provisioner: Provisioner?

  /// What steps may refer to: the header's bindings, the server's values, and the outcomes of labelled steps so far.
  var bindings: Bindings {
    let outcomes = Bindings(recorder.read { $0.outcomesByLabel.outcomes }.mapValues(\.view))
    return header.bindings.merging(server?.server.values ?? [:]).merging(outcomes)
  }

  /// The upstream of this name; nil means the main one.
  func upstream(_ name: String?) throws -> Upstream {
    let name = name ?? "main"
    guard let upstream = upstreams[name] else {
      throw StepPlayer.Halt(.kitError, "this role has no upstream '\(name)'")
    }
    return upstream
  }

  func driver() throws -> Driver {
    guard let sdk else { throw StepPlayer.Halt(.kitError, "this role has no driver: 'restart' needs an SDK") }
    return sdk
  }

  func commands() throws -> any CommandPort {
    guard let port: any CommandPort = sdk ?? provisioner else {
      throw StepPlayer.Halt(.kitError, "this role takes no commands")
    }
    return port
  }

  func downstream() throws -> Downstream {
    guard let server else { throw StepPlayer.Halt(.kitError, "this role calls no server: 'send' needs one") }
    return server
  }
}
