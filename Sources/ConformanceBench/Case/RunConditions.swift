import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import MockServices
import Recording
import Templates

/// The conditions under which the cases of a run are performed.
package struct RunConditions: Sendable {
  package var kit: String
  package var seed: UInt64
  /// The requested clock; nil for the fastest clock that the subject supports.
  package var clock: ClockMode?
  /// The longest real time that one case may take.
  package var timeLimit: Duration
  package var redaction: Redaction
  /// The mutator that changes the subject's messages in a proof of the kit; nil in an ordinary run.
  package var bender: Bender?
  /// The TLS of mock servers, for cases that need TLS; nil in a program that cannot use TLS.
  package var tls: (any ServerTLS)?
  /// The exchanges of the subject's own wire profile; empty if the subject uses the exchanges of the protocol.
  package var wire: [Exchange]
  /// The abilities that the kit assumes if an adapter's reply to `hello` lists none.
  package var hostAbilities = Set(HostAbility.allCases)

  /// The place at which mock servers listen.
  package var mocks = MockPlace()

  /// Called with each entry of a case when it is recorded. Secrets are redacted.
  package var trace: (@Sendable (CaseInstance, TranscriptEntry) -> Void)?
  /// Waits for a person before each step of a case; nil for a run without pauses.
  package var pause: StepPause.Wait?

  package init(
    kit: String, seed: UInt64 = 1, clock: ClockMode? = nil, timeLimit: Duration = .seconds(60),
    redaction: Redaction = Redaction(), bender: Bender? = nil, tls: (any ServerTLS)? = nil, wire: [Exchange] = []
  ) {
    self.kit = kit
    self.seed = seed
    self.clock = clock
    self.timeLimit = timeLimit
    self.redaction = redaction
    self.bender = bender
    self.tls = tls
    self.wire = wire
  }

  /// - Throws: an error if ``tls`` is nil.
  func tlsOfServers() throws -> any ServerTLS {
    guard let tls else { throw MissingTLS() }
    return tls
  }
}

/// The error if a case requires mock servers with TLS, and the program has no TLS.
private struct MissingTLS: Error, CustomStringConvertible {
  var description: String { "a case has services with TLS, and nothing that speaks it was given to the run" }
}
