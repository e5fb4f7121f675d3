import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import Processes

/// A subject that the kit calls, and the ports at which the subject calls the kit. A slot with ports serves one case at
/// a time. A slot without ports can serve several at the same time.
package final class Slot: Sendable {
  package let server: ServerUnderTest
  /// The ports of the services that the subject calls. The subject got the addresses of these ports at its start.
  package let ports: [UpstreamPort]
  /// The process of the subject; nil if the kit did not start it.
  let process: SubjectProcess?
  /// The numbers of free ports that the kit reserved, and at which the process listens.
  private let lent: [LentPort]
  /// The file with the authority that the process was asked to trust.
  private let trust: StorageFolder?
  /// Whether several cases can use the slot at the same time.
  let isShared: Bool
  /// Returns whether the subject answers at present. It always returns true if the kit did not start the subject.
  private let answers: @Sendable () async -> Bool

  init(
    server: ServerUnderTest, ports: [UpstreamPort] = [], process: SubjectProcess? = nil, lent: [LentPort] = [],
    isShared: Bool = false, trust: StorageFolder? = nil, answers: @escaping @Sendable () async -> Bool = { true }
  ) {
    self.server = server
    self.ports = ports
    self.process = process
    self.lent = lent
    self.isShared = isShared
    self.trust = trust
    self.answers = answers
  }

  /// The base URLs of the services that the subject calls.
  package var upstreamURLs: [ServiceName: String] {
    Dictionary(ports.map { ($0.service, $0.url) }) { first, _ in first }
  }

  /// The ending of a case whose subject has died; nil if the subject's process runs, or if the kit did not start it.
  package var death: TranscriptEntry.Ending? {
    guard let process, let exit = process.exit else { return nil }
    let words = process.lastWords
    return .init(.adapterDied, "the subject \(exit)" + (words.isEmpty ? "" : ". It wrote last: \(words)"))
  }

  /// Sends the output of the process from now on to this listener. Does nothing if the process is shared, since its
  /// output belongs to no case.
  package func listen(_ listener: (@Sendable (Octets) -> Void)?) {
    if !isShared { process?.listen(listener) }
  }

  /// Waits until the process either answers or has ended, so that ``death`` is up to date after the last request of a
  /// case. If it does neither within `patience`, it does not count as dead.
  ///
  /// - Parameters:
  ///   - hasFailed: whether a request of the case got no answer. If false, a shared subject is not checked.
  ///   - patience: the real time that an unresponsive process may take to end.
  package func noticeEnd(afterFailure hasFailed: Bool = true, patience: Duration = .seconds(2)) async {
    guard hasFailed || !isShared, let process, !process.hasEnded, await !answers() else { return }
    await process.waitForEnd(atMost: patience)
  }

  /// Ends the process, if the kit started it, and closes the ports.
  package func close() async {
    await process?.end()
    for port in ports { await port.close() }
    trust?.remove()
  }
}
