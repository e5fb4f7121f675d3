import ConformanceModel
import ConformancePack
import ConformanceTranscript
import JSONKit
import MockServices
import Recording
import Subjects
import Templates

/// The ports, the clock and the recorder of a case.
struct CasePorts: Sendable {
  let catalogue: Catalogue
  let header: TranscriptHeader
  let recorder: Recorder
  let pacer: Pacer
  let mock: Mock
  let driven: Driver?
  let called: Downstream?
  let provisioner: Provisioner?
  /// The bindings at the start of the case. They are the bindings of the transcript's header, except that they contain
  /// the secrets of the provisioning file, which the header redacts.
  let given: Bindings
  let clients: ClientAddresses
  /// A conforming server whose answers are compared with the answers of the subject; nil if the protocol has no such
  /// server.
  let oracle: ProtocolPack.Oracle?
  /// The seed of all random choices of a case.
  let seed: UInt64
  /// The observations so far. A step that waits for an observation searches for it here.
  let observations = ObservationLog()
  /// Waits for a person before each step, for `--pause`; nil without this option.
  let wait: StepPause.Wait?
  /// The time limit of the case.
  let watchdog: Watchdog
  /// The logical time within which a command or a request must be answered. After this time, it counts as never
  /// answered.
  package let replyLimit: LogicalTime

  /// The names that steps may refer to: the names of `given`, and the labels of earlier steps with their outcomes.
  var bindings: Bindings {
    given.merging(recorder.read { $0.outcomesByLabel.bindings(epoch: header.epoch) })
  }

  func driver() throws -> Driver {
    guard let driven else { throw CaseHalt(.kitError, "the role has no driver") }
    return driven
  }

  func commands() throws -> any CommandPort {
    guard let port: any CommandPort = driven ?? provisioner else {
      throw CaseHalt(.kitError, "the role takes no commands")
    }
    return port
  }

  func downstream() throws -> Downstream {
    guard let called else { throw CaseHalt(.kitError, "the role offers no service: 'send' needs one") }
    return called
  }
}
