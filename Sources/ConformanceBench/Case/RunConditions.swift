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
  /// The requested clock; nil for the cheapest that the subject offers.
  package var clock: ClockMode?
  /// The longest time that a case may take in reality.
  package var timeLimit: Duration
  package var redaction: Redaction
  /// The mutator of the subject's messages, to prove the kit.
  package var bender: Bender?
  /// The TLS of mock servers, for cases that require it.
  package var tls: (any ServerTLS)?
  /// The exchanges of the subject's own wire profile.
  package var wire: [Exchange]
  /// The abilities that the place of an adapter has if its `hello` does not list them.
  package var hostAbilities = Set(HostAbility.allCases)

  /// Receives each entry of a case as it is recorded, without secrets.
  package var trace: (@Sendable (CaseInstance, TranscriptEntry) -> Void)?
  /// Waits before each step of a case; nil for a run that goes on by itself.
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

  /// - Throws: an error that this program has no TLS.
  func tlsOfServers() throws -> any ServerTLS {
    guard let tls else { throw MissingTLS() }
    return tls
  }
}

/// A case requires TLS of mock servers, and the program has no TLS.
private struct MissingTLS: Error, CustomStringConvertible {
  var description: String { "a case has services with TLS, and nothing that speaks it was given to the run" }
}
