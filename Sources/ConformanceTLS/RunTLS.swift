import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import Glibc
import NIOCore
import Synchronization

/// The TLS of the mock servers of one run. It has a certificate authority of its own, and issues one certificate for
/// each server name and each flaw that a certificate can have.
package final class RunTLS: ServerTLS {
  private struct Site: Hashable {
    var name: String
    var flaw: Fault.CertificateFlaw?
  }

  private struct Authorities {
    var own: CertificateAuthority
    /// An authority that no client trusts.
    var unknown: CertificateAuthority
  }

  private static let day = 86_400
  private let madeAt: Int
  private let authorities: Mutex<Authorities?>
  private let sites = Mutex<[Site: TLSSettings]>([:])

  package init() {
    madeAt = time(nil)
    authorities = Mutex(nil)
  }

  package var authority: String { (try? made().own.certificate.pem) ?? "" }

  package func handlers(
    for name: String, flaw: Fault.CertificateFlaw?, report: @escaping (TLSHandshake.Outcome, String) -> Void
  ) throws -> [any ChannelHandler] {
    let records = HandshakeRecords()
    return [
      records, TLSHandler(try TLSSession(settings(of: Site(name: name, flaw: flaw)))),
      HandshakeWatch(records, report),
    ]
  }

  private func settings(of site: Site) throws -> TLSSettings {
    try sites.withLock { sites in
      if let known = sites[site] { return known }
      let made = try TLSSettings.server(credentials(of: site))
      sites[site] = made
      return made
    }
  }

  private func credentials(of site: Site) throws -> Credentials {
    let authorities = try made()
    switch site.flaw {
    case nil: return try authorities.own.issue(for: site.name, lifetime: lifetime)
    case .unknownAuthority: return try authorities.unknown.issue(for: site.name, lifetime: lifetime)
    case .expired:
      return try authorities.own.issue(for: site.name, lifetime: madeAt - 20 * Self.day..<madeAt - 10 * Self.day)
    case .wrongName: return try authorities.own.issue(for: "elsewhere.test", lifetime: lifetime)
    }
  }

  private func made() throws -> Authorities {
    try authorities.withLock { authorities in
      if let made = authorities { return made }
      let long = madeAt - 30 * Self.day..<madeAt + 30 * Self.day
      let made = Authorities(
        own: try CertificateAuthority(name: "authority of a conform run", lifetime: long),
        unknown: try CertificateAuthority(name: "unknown authority", lifetime: long))
      authorities = made
      return made
    }
  }

  /// The validity of certificates, in seconds since 1970. It begins a day before the authority was made, since the
  /// clock of a client's device may be behind.
  private var lifetime: Range<Int> { madeAt - Self.day..<madeAt + 7 * Self.day }
}

/// Reports once how a client's handshake ended.
private final class HandshakeWatch: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let records: HandshakeRecords
  private var report: ((TLSHandshake.Outcome, String) -> Void)?

  init(_ records: HandshakeRecords, _ report: @escaping (TLSHandshake.Outcome, String) -> Void) {
    self.records = records
    self.report = report
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is HandshakeCompleted { tell(.completed, "the client speaks TLS from now on") }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    tellFailure("\(error)")
    context.fireErrorCaught(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    tellFailure("")
    context.fireChannelInactive()
  }

  /// Reports that the handshake failed. If the client has received a certificate and does not continue, it has refused
  /// the certificate, even if the library reports a different error.
  private func tellFailure(_ error: String) {
    if records.hasShownCertificate { return tell(.refused, records.alert?.text ?? "the client left without a word") }
    if !records.hasClientSpoken { return tell(.failed, "the client left before it said anything") }
    if error.contains("http request") { return tell(.failed, "the client speaks plain HTTP") }
    tell(.failed, records.alert?.text ?? "the client does not speak TLS 1.2 or 1.3 as the kit does")
  }

  private func tell(_ outcome: TLSHandshake.Outcome, _ text: String) {
    report?(outcome, text)
    report = nil
  }
}

/// Observes the records of a handshake (RFC 8446 §5.1) in the form in which they are sent, before TLS decodes them.
private final class HandshakeRecords: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer

  private(set) var hasClientSpoken = false
  private(set) var hasShownCertificate = false
  private(set) var alert: TLSAlert?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    hasClientSpoken = true
    alert = TLSAlert(record: unwrapInboundIn(data).readableBytesView) ?? alert
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    // The first flight of a server contains its certificate.
    if unwrapOutboundIn(data).readableBytesView.first == Self.handshake { hasShownCertificate = true }
    context.write(data, promise: promise)
  }

  private static let handshake: UInt8 = 22
}

/// The alert with which a client reports why it ends a handshake. Some clients send it in plain text, before they begin
/// to encrypt.
struct TLSAlert: Equatable {
  /// The number of the alert in RFC 8446 §6.
  var description: UInt8

  init(description: UInt8) { self.description = description }

  /// The alert in the last record of these bytes; nil if that record is not an alert, or is encrypted.
  init?(record bytes: some Collection<UInt8>) {
    let last = Array(bytes.suffix(7))
    guard last.count == 7, last[0] == 21, last[1] == 3, last[3] == 0, last[4] == 2 else { return nil }
    description = last[6]
  }

  /// The alert in words.
  var text: String { "the client's alert: \(Self.names[description] ?? "number \(description)")" }

  private static let names: [UInt8: String] = [
    40: "handshake failure", 42: "bad certificate", 43: "unsupported certificate", 44: "certificate revoked",
    45: "certificate expired", 46: "certificate unknown", 48: "unknown ca", 70: "protocol version",
    80: "internal error", 90: "user canceled",
  ]
}
