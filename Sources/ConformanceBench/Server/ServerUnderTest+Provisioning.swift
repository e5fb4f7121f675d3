import ConformanceModel
import ConformanceWire
import FoundationEssentials

/// A provisioning that cannot be worked with, in words for whoever wrote it.
package struct ProvisioningProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  init(_ description: String) { self.description = description }
}

extension ServerUnderTest {
  /// A server somewhere, at this base URL, with what its operator lends.
  ///
  /// - Parameters:
  ///   - folder: that of the provisioning file, from which paths of programs count and in which they run.
  ///   - client: who makes the calls of hooks, with a time limit of each hook's own.
  /// - Throws: ``ProvisioningProblem`` for what holds for every case.
  package init(
    url: String, provisioning: Provisioning, folder: String, client: WireClient
  ) throws(ProvisioningProblem) {
    guard let server = ServerUnderTest(url: url, headers: provisioning.headers) else {
      throw ProvisioningProblem(
        "a base URL such as http://localhost:3000 or https://host/path is wanted, found '\(url)'")
    }
    self = server
    values = provisioning.values
    clientAddressHeader = provisioning.clientAddressHeader
    let lent = LentNames(values: values, serverURL: url.hasSuffix("/") ? String(url.dropLast()) : url) {
      Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1000)).text
    }
    for (name, hook) in provisioning.hooks {
      let limit = Duration.milliseconds(Int(hook.timeLimit.milliseconds))
      switch hook.action {
      case .http(let call):
        hooks[name] = HTTPHook(
          call: call, lent: lent, server: server,
          client: client.limited(to: .init(connect: .seconds(5), exchange: limit, responseBytes: 1 << 20)))
      case .program(let words):
        try Self.check(words, of: name, in: folder)
        hooks[name] = ProgramHook(words: words, lent: lent, folder: folder, timeLimit: limit)
      }
    }
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
