import ConformanceModel
import ConformanceWire
import FoundationEssentials

/// A provisioning that cannot be worked with, in words for whoever wrote it.
package struct ProvisioningProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and what to do.
  package var text: String
  /// The part of the file that it is about.
  package var place: Provisioning.Place?

  init(_ text: String, at place: Provisioning.Place? = nil) {
    self.text = text
    self.place = place
  }

  /// That a template of the file cannot be filled from these names.
  init(_ error: Template.RenderError, names: Bindings, at place: Provisioning.Place?) {
    self.init(error.description(knowing: names), at: place)
  }

  package var description: String { (place.map { "\($0): " } ?? "") + text }
}

extension ServerUnderTest {
  /// A subject somewhere, at these base URLs, with what its operator lends.
  ///
  /// - Parameters:
  ///   - folder: that of the provisioning file, from which paths of programs count and in which they run.
  ///   - client: who makes the calls of hooks, with a time limit of each hook's own.
  /// - Throws: ``ProvisioningProblem`` for what holds for every case.
  package init(
    urls: [ServiceName: String], provisioning: Provisioning, folder: String, client: WireClient
  ) throws(ProvisioningProblem) {
    var addresses: [ServiceName: Address] = [:]
    for (service, url) in urls {
      guard let address = Address(url: url) else {
        throw ProvisioningProblem(
          "a base URL such as http://localhost:3000 or https://host/path is wanted, found '\(url)'")
      }
      addresses[service] = address
    }
    if let twice = Self.sharedURL(addresses) { throw ProvisioningProblem(twice) }
    self.init(addresses: addresses, headers: provisioning.headers)
    values = provisioning.values
    clientAddressHeader = provisioning.clientAddressHeader
    requests = provisioning.requests
    answers = provisioning.answers
    limits = provisioning.limits
    let server = self
    let lent = LentNames(server: server) {
      Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1000)).text
    }
    for (name, hook) in provisioning.hooks {
      let limit = Duration.milliseconds(Int(hook.timeLimit.milliseconds))
      switch hook.action {
      case .http(let call):
        try Self.check(call, of: name, addresses)
        hooks[name] = HTTPHook(
          call: call, lent: lent, server: server,
          client: client.limited(to: .init(connect: .seconds(5), exchange: limit, responseBytes: 1 << 20)))
      case .program(let words):
        try Self.check(words, of: name, in: folder)
        hooks[name] = ProgramHook(words: words, lent: lent, folder: folder, timeLimit: limit)
      }
    }
  }

  /// Two services at one address could not be told apart.
  private static func sharedURL(_ addresses: [ServiceName: Address]) -> String? {
    for (service, address) in addresses.sorted(by: { $0.key < $1.key }) {
      let others = addresses.filter { $0.value == address }.keys.sorted()
      if others.count > 1 {
        return "the services \(others.map(\.rawValue).joined(separator: " and ")) have the same address \(address.url):"
          + " give '\(service)' one of its own, as a path or a port"
      }
    }
    return nil
  }

  /// A path is below one base URL: with several services nobody could tell which.
  private static func check(
    _ call: Provisioning.Call, of hook: String, _ addresses: [ServiceName: Address]
  ) throws(ProvisioningProblem) {
    guard case .path = call.target, addresses.count > 1 else { return }
    let urls = addresses.keys.sorted().map { "${\($0).url}/…" }.joined(separator: " or ")
    throw ProvisioningProblem(
      "the hook of \(hook) has a 'path', and the subject offers several services: give it a 'url' such as \(urls)")
  }

  /// A program whose name is known before the run must be there before it.
  private static func check(
    _ words: [Template], of hook: String, in folder: String
  ) throws(ProvisioningProblem) {
    guard let program = try? words.first?.renderText([:]) else { return }
    do throws(AdapterFailure) {
      try ChildProcess.find(ProgramHook.path(program, in: folder))
    } catch {
      throw ProvisioningProblem("the hook of \(hook) cannot be run: \(error.text)")
    }
  }
}
