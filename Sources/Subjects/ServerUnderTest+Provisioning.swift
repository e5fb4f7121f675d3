import ConformanceModel
import ConformanceProvisioning
import ConformanceWire
import Processes
import Recording
import Templates

/// The error that the kit cannot use a provisioning file.
package struct ProvisioningProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence about the problem and its remedy.
  package var text: String
  /// The place in the file to which the problem belongs; nil if it belongs to no single place.
  package var place: Provisioning.Place?

  init(_ text: String, at place: Provisioning.Place? = nil) {
    self.text = text
    self.place = place
  }

  /// The problem that a template in the file cannot be rendered. `names` contains all names that have a value.
  init(_ error: Template.RenderError, names: Bindings, at place: Provisioning.Place?) {
    self.init(error.description(knowing: names), at: place)
  }

  package var description: String { (place.map { "\($0): " } ?? "") + text }
}

extension ServerUnderTest {
  /// A subject at these base URLs, with everything that its provisioning file provides.
  ///
  /// - Parameters:
  ///   - folder: the folder of the provisioning file. Paths of programs are relative to it, and the programs run in it.
  ///   - client: the client for the calls of hooks. Each hook has its own time limit.
  /// - Throws: ``ProvisioningProblem`` if a URL or a hook cannot be used.
  package init(
    urls: [ServiceName: String], provisioning: Provisioning, folder: String, client: WireClient
  ) throws(ProvisioningProblem) {
    var addresses: [ServiceName: Address] = [:]
    for (service, url) in urls {
      guard let address = Address(url: url) else {
        throw ProvisioningProblem(
          "expected a base URL such as http://localhost:3000 or https://host/path, found '\(url)'")
      }
      addresses[service] = address
    }
    self.init(addresses: addresses, headers: provisioning.headers)
    values = provisioning.values
    clientAddressHeader = provisioning.clientAddressHeader
    requests = provisioning.requests
    answers = provisioning.answers
    limits = provisioning.limits
    for (name, hook) in provisioning.hooks {
      hooks[name] = try serverHook(hook, called: "the hook of \(name)", in: folder, client)
    }
  }

  /// Runs the clean-up and log-in requests of the file, and returns the subject with the values from the log-in
  /// responses. Must be called once for each process of the subject, before its first case.
  ///
  /// - Parameters:
  ///   - cleansUp: whether the clean-up request is sent, which removes remains of earlier runs. Must be false while
  ///     cases run.
  ///   - obtained: receives the values that the log-in responses contain.
  /// - Throws: ``ProvisioningProblem`` if one of these requests fails.
  package static func prepared(
    urls: [ServiceName: String], provisioning: Provisioning, folder: String, client: WireClient, cleansUp: Bool = true,
    obtained: ObtainedSecrets? = nil
  ) async throws(ProvisioningProblem) -> ServerUnderTest {
    let server = try ServerUnderTest(urls: urls, provisioning: provisioning, folder: folder, client: client)
    if cleansUp, let cleanUp = provisioning.cleanUp {
      let hook = try server.serverHook(cleanUp, called: "'cleanUp'", in: folder, client)
      if case .error(let error) = await hook.perform([:]) {
        throw ProvisioningProblem("'cleanUp' failed: \(error.message ?? error.kind)")
      }
    }
    guard !provisioning.logins.isEmpty else { return server }
    var provisioning = provisioning
    for (name, login) in provisioning.logins.sorted(by: { $0.key < $1.key }) {
      let hook = try server.serverHook(login, called: "the log-in for '\(name)'", in: folder, client)
      switch await hook.perform([:]) {
      case .result(.string(let value)) where !value.isEmpty:
        provisioning.values[name] = .string(value)
        if value.count >= Provisioning.shortestSecret { obtained?.add(value, named: name) }
      case .result(let value):
        throw ProvisioningProblem(
          "the log-in for '\(name)' gave \(value.excerpt); expected a text: correct its 'result'")
      case .error(let error):
        throw ProvisioningProblem("the log-in for '\(name)' failed: \(error.message ?? error.kind)")
      case .noReply: throw ProvisioningProblem("the log-in for '\(name)' got no answer")
      }
    }
    return try ServerUnderTest(urls: urls, provisioning: provisioning, folder: folder, client: client)
  }

  /// Makes a hook from its description in the file. `name` is the name of the hook in error messages.
  private func serverHook(
    _ hook: Provisioning.Hook, called name: String, in folder: String, _ client: WireClient
  ) throws(ProvisioningProblem) -> any ServerHook {
    let lent = LentNames(server: self) {
      Timestamp.now.text
    }
    let limit = Duration.milliseconds(Int(hook.timeLimit.milliseconds))
    switch hook.action {
    case .http(let call):
      try check(call, of: name)
      return HTTPHook(
        call: call, lent: lent, server: self,
        client: client.limited(to: .init(connect: .seconds(5), exchange: limit, responseBytes: 1 << 20)))
    case .program(let words):
      try Self.check(words, of: name, in: folder)
      return ProgramHook(words: words, lent: lent, folder: folder, timeLimit: limit)
    }
  }

  /// Throws if the call of a hook has only a `path`, but the subject has several base URLs, so that the URL of the call
  /// is unknown.
  private func check(_ call: Provisioning.Call, of hook: String) throws(ProvisioningProblem) {
    guard case .path = call.target, Set(addresses.values).count > 1 else { return }
    let urls = addresses.keys.sorted().map { "${\($0).url}/…" }.joined(separator: " or ")
    throw ProvisioningProblem(
      "\(hook) has a 'path', and the subject offers several services: give it a 'url' such as \(urls)")
  }

  /// Throws if the program of a hook does not exist. A program whose name contains a hole is not checked, since its
  /// name is known only when the hook is called.
  private static func check(
    _ words: [Template], of hook: String, in folder: String
  ) throws(ProvisioningProblem) {
    guard let program = try? words.first?.renderText([:]) else { return }
    do throws(ProgramFailure) {
      try ChildProcess.find(ProgramHook.path(program, in: folder))
    } catch {
      throw ProvisioningProblem("\(hook) cannot be run: \(error.text)")
    }
  }
}
