import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import Processes

/// A subject that the kit calls, and the ports at which the subject calls the kit. A slot with ports serves one case at
/// a time. A slot without ports can serve several cases at the same time.
package final class Slot: Sendable {
  package let server: ServerUnderTest
  /// The ports of the services that the subject calls. The subject got the addresses of these ports at its start.
  package let ports: [UpstreamPort]
  /// The process of the subject; nil if the kit did not start it.
  let process: SubjectProcess?
  /// The reservations of the port numbers at which the process listens.
  private let lent: [LentPort]
  /// The folder of the file with the certificate authority that the process was asked to trust; nil if it was not asked
  /// to trust one.
  private let trust: StorageFolder?
  /// Whether several cases can use the slot at the same time.
  let isShared: Bool
  /// Sends requests to the subject, and returns whether it answers. Always returns true if the kit did not start the
  /// subject.
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

  /// From now on, sends all output of the process to this listener; if it is nil, to no listener. Does nothing if the
  /// process is shared, since its output belongs to no case.
  package func listen(_ listener: (@Sendable (Octets) -> Void)?) {
    if !isShared { process?.listen(listener) }
  }

  /// Called after the last request of a case. Waits until the process either answers or has ended, so that ``death`` is
  /// up to date. If the process does neither within `patience`, it does not count as dead.
  ///
  /// - Parameters:
  ///   - hasFailed: whether a request of the case got no answer. If it is false and the process is shared, this method
  ///     does not wait.
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
