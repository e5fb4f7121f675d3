import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Synchronization

/// The limits on the bytes of a run's evidence: of each case, of all running cases together in memory, and of all cases
/// together on the disk.
package final class EvidenceBudget: Sendable {
  private struct State {
    var held = 0
    var written = 0
  }

  private let (caseBytes, heldBytes, runBytes): (Int, Int, Int)
  private let state = Mutex(State())

  package init(
    caseBytes: Int = Bounds.caseEvidenceBytes, heldBytes: Int = Bounds.heldEvidenceBytes,
    runBytes: Int = Bounds.runEvidenceBytes
  ) {
    (self.caseBytes, self.heldBytes, self.runBytes) = (caseBytes, heldBytes, runBytes)
  }

  /// Reserves bytes for a case that has already reserved `own` bytes. Returns nil if the bytes are reserved, and
  /// otherwise a sentence about the limit that they would exceed.
  func take(_ bytes: Int, besides own: Int) -> String? {
    let what = "the evidence ends here, since that of"
    guard own + bytes <= caseBytes else { return "\(what) a case may hold \(caseBytes) bytes" }
    return state.withLock { state in
      guard state.written + bytes <= runBytes else { return "\(what) a run may hold \(runBytes) bytes" }
      guard state.held + bytes <= heldBytes else {
        return "\(what) all cases under way may hold \(heldBytes) bytes: run fewer at once with --jobs"
      }
      state.held += bytes
      state.written += bytes
      return nil
    }
  }

  /// Releases the memory of a case that has ended.
  func release(_ bytes: Int) { state.withLock { $0.held -= bytes } }
}

extension TranscriptEntry.Event {
  /// The approximate number of bytes that the event needs.
  var size: Int {
    let own: Int =
      switch self {
      case .command(let command): command.params.size
      case .reply(let reply): reply.outcome.size
      case .callback(let handle, let value): handle.utf8.count + value.size
      case .output(let octets): octets.bytes.count
      case .breach(let text), .cut(_, let text): text.utf8.count
      case .request(_, let record), .sent(_, _, let record):
        record.line.utf8.count + record.headers.size + record.body.bytes.count
      case .response(_, let record), .received(_, let record):
        record.line.utf8.count + record.headers.size + record.body.bytes.count + JSON.object(record.values).size
      case .malformed(_, _, let reason, let octets): reason.utf8.count + octets.bytes.count
      case .operated(_, let operation): operation.params.size + operation.outcome.size
      case .bound(_, let value): value.size
      case .failed(_, let failure): failure.text.utf8.count + failure.received.bytes.count
      case .end(let ending): ending.text.utf8.count
      case .stepBegan, .stepEnded, .process, .fault, .handshake, .kept, .closed, .clock: 0
      }
    return own + Self.overhead
  }

  /// The number of bytes that an entry needs in addition to its payload.
  private static let overhead = 128
}

extension CommandOutcome {
  fileprivate var size: Int {
    switch self {
    case .result(let value): value.size
    case .error(let error): error.kind.utf8.count + (error.message?.utf8.count ?? 0)
    case .noReply: 0
    }
  }
}

extension HTTPHeaders {
  fileprivate var size: Int { fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 } }
}

extension JSON {
  fileprivate var size: Int {
    switch self {
    case .string(let text): 16 + text.utf8.count
    case .array(let elements): elements.reduce(16) { $0 + $1.size }
    case .object(let object): object.members.reduce(16) { $0 + 16 + $1.key.utf8.count + $1.value.size }
    default: 16
    }
  }
}
