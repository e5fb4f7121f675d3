import ConformanceModel
import ConformanceWire

/// A subject that is called, and the ports at which it calls the kit: lent to one case at a time where it has any, else
/// shared by all.
package final class Slot: Sendable {
  package let server: ServerUnderTest
  /// The ports of the services that the subject was told of when it started.
  let ports: [UpstreamPort]
  /// The process, where the kit started it.
  let process: SubjectProcess?
  /// The port numbers that the process was told.
  private let lent: [LentPort]
  /// The file with the authority that the process was told to trust.
  private let trust: StorageFolder?
  /// Whether cases have it at the same time.
  let isShared: Bool
  /// Whether the subject answers now, where the kit knows how to ask.
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

  /// Where the subject finds the services that it calls.
  package var upstreamURLs: [ServiceName: String] {
    Dictionary(ports.map { ($0.service, $0.url) }) { first, _ in first }
  }

  /// How a case ends whose subject has died; nil while it lives.
  var death: TranscriptEntry.Ending? {
    guard let process, let exit = process.exit else { return nil }
    let words = process.lastWords
    return .init(.adapterDied, "the subject \(exit)" + (words.isEmpty ? "" : ". It wrote last: \(words)"))
  }

  /// Gives what the process writes from now on to this listener; what one writes that cases share is of none of them.
  func listen(_ listener: (@Sendable (Octets) -> Void)?) {
    if !isShared { process?.listen(listener) }
  }

  /// Returns when it is known whether the process has outlived what it was asked last: it answers again, or its end has
  /// been noticed. One that neither answers nor ends is no death.
  ///
  /// - Parameters:
  ///   - hasFailed: whether a request of the case got no answer; else a subject that others ask too is not asked again.
  ///   - patience: how long a process that does not answer any more may take to end, in reality.
  func noticeEnd(afterFailure hasFailed: Bool = true, patience: Duration = .seconds(2)) async {
    guard hasFailed || !isShared, let process, !process.hasEnded, await !answers() else { return }
    await process.waitForEnd(atMost: patience)
  }

  /// Ends the process, if it is ours, and closes the ports.
  package func close() async {
    await process?.end()
    for port in ports { await port.close() }
    trust?.remove()
  }
}
