import AdapterProtocol
import ConformanceModel
import JSONKit

extension AdapterHello {
  /// Reads what `hello` came to, and refuses an adapter that cannot be worked with.
  init(_ outcome: CommandOutcome, expecting protocolName: String) throws(AdapterFailure) {
    guard case .result(let value) = outcome else {
      throw AdapterFailure(
        .handshake, "the adapter refused 'hello' with \(outcome.view.excerpt); expected who it is and what it can do")
    }
    // The version comes first: another one may have other members.
    if let version = value["protocolVersion"], version.int != AdapterRequest.protocolVersion {
      throw AdapterFailure(
        .handshake,
        "the adapter speaks version \(version.excerpt) of the adapter protocol, and the kit speaks version "
          + "\(AdapterRequest.protocolVersion): use a kit or an adapter of the other's version")
    }
    do { try self.init(JSONField(value)) } catch {
      throw AdapterFailure(
        .handshake,
        "the adapter's answer to 'hello' does not fit at \(error); correct it there as "
          + "spec/kit/adapter-protocol.md says, and declare nothing that the SDK cannot do")
    }
    guard self.protocolName == protocolName else {
      throw AdapterFailure(
        .handshake,
        "the adapter drives an SDK of the protocol '\(self.protocolName)', and the run is about "
          + "'\(protocolName)': start another adapter, or run with --protocol \(self.protocolName)")
    }
  }
}
