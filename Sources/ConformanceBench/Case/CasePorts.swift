import ConformanceModel
import JSONKit

/// The ports that a case is plugged into, its clock, and the book that everything is written into.
struct CasePorts: Sendable {
  let catalogue: Catalogue
  let header: TranscriptHeader
  let recorder: Recorder
  let pacer: Pacer
  let mock: Mock
  let driven: Driver?
  let called: Downstream?
  let provisioner: Provisioner?
  /// What is known from the start: the header's bindings, and what is lent, which stands in the header redacted.
  let given: Bindings
  /// Where the clients of the case come from.
  let clients: ClientAddresses
  /// The server whose answers are right; nil where nobody wrote one.
  let oracle: ProtocolPack.Oracle?
  /// The seed of everything that a case draws by lot.
  let seed: UInt64
  /// What steps that wait look into.
  let observations = ObservationLog()
  /// How long a command or a request may take before it counts as never answered.
  let replyLimit: LogicalTime

  /// What steps may refer to: what is given, and what labelled steps came to so far.
  var bindings: Bindings {
    given.merging(recorder.read { $0.outcomesByLabel.bindings(epoch: header.epoch) })
  }

  func driver() throws -> Driver {
    guard let driven else { throw StepPlayer.Halt(.kitError, "the role has no driver") }
    return driven
  }

  func commands() throws -> any CommandPort {
    guard let port: any CommandPort = driven ?? provisioner else {
      throw StepPlayer.Halt(.kitError, "the role takes no commands")
    }
    return port
  }

  func downstream() throws -> Downstream {
    guard let called else { throw StepPlayer.Halt(.kitError, "the role offers no service: 'send' needs one") }
    return called
  }
}
