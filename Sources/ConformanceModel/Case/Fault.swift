import HTTPValues
import JSONKit
import Templates

/// A failure of a connection or an answer that the kit causes on purpose. It also defines which requests it affects.
package struct Fault: Hashable, Sendable {
  /// The kinds of failure.
  package enum Kind: Hashable, Sendable {
    /// No server listens on the port. This fault affects the requests of all exchanges.
    case refuse
    /// The request is read, then the connection closes without an answer. If `serverActs` is true, the server processes
    /// the request first.
    case drop(serverActs: Bool)
    /// The request is read and never answered.
    case hang
    /// The correct answer is held back until the case releases it, or until `until` answers are held back.
    case hold(until: Int?)
    /// The connection is reset (RST) after this number of bytes of the response.
    case reset(afterBytes: Int)
    /// The correct answer is sent only after this time.
    case delay(LogicalTime)
    /// The correct answer is sent in pieces of this number of bytes, with this interval between two pieces.
    case drip(bytes: Int, every: LogicalTime)
    /// The correct header and this number of bytes of the body are sent, then the connection closes.
    case truncate(bytes: Int)
    /// The correct header and this number of bytes of the body are sent, and the connection stays open.
    case stall(afterBytes: Int)
    /// The Content-Length is the length of the body plus this number. The connection closes after the body.
    case wrongLength(by: Int)
    /// The body is chunked, and its chunk size is not hexadecimal.
    case badChunk
    /// The answer has this status and a JSON error body.
    case status(Int)
    /// Exactly these bytes are sent instead of a response, then the connection closes.
    case raw(Octets)
    /// The answer is a redirect with this status and location.
    case redirect(status: Int, location: String)
    /// The service presents a certificate that its client must reject. The fault affects every connection until a step
    /// heals the service.
    case tls(CertificateFlaw)
  }

  /// The reason why a certificate must be rejected.
  package enum CertificateFlaw: String, CaseIterable, Sendable {
    /// The client does not know the authority that signed the certificate.
    case unknownAuthority = "unknown-authority"
    /// The validity of the certificate has ended.
    case expired
    /// The certificate was issued for a different name.
    case wrongName = "wrong-name"
  }

  package var kind: Kind
  /// The service that the fault affects; if nil, the service of ``exchange``, or all services if that is nil, too.
  package var service: ServiceName?
  /// The exchange that the fault affects; nil for all exchanges.
  package var exchange: String?
  /// The template that the ``RequestRecord/view`` of an affected request matches; nil for every request.
  package var filter: Template?
  /// The number of matching requests that are answered correctly before the fault begins.
  package var skip: Int
  /// The number of requests that are affected; nil for all requests until a step heals the fault.
  package var times: Int?

  package init(
    _ kind: Kind, at service: ServiceName? = nil, exchange: String? = nil, filter: Template? = nil, skip: Int = 0,
    times: Int? = nil
  ) {
    self.kind = kind
    self.service = service
    self.exchange = exchange
    self.filter = filter
    self.skip = skip
    self.times = times
  }
}

extension Fault.Kind {
  /// The words for the faults in a case file.
  package static let words = [
    "refuse", "drop", "hang", "hold", "reset", "delay", "drip", "truncate", "stall", "wrong-length", "bad-chunk",
    "status", "raw", "redirect", "tls",
  ]

  /// Whether the fault affects a service as a whole, and not single requests.
  package var isOfService: Bool {
    switch self {
    case .refuse, .tls: true
    default: false
    }
  }

  /// The word for the fault in a case.
  package var word: String {
    switch self {
    case .refuse: "refuse"
    case .drop: "drop"
    case .hang: "hang"
    case .hold: "hold"
    case .reset: "reset"
    case .delay: "delay"
    case .drip: "drip"
    case .truncate: "truncate"
    case .stall: "stall"
    case .wrongLength: "wrong-length"
    case .badChunk: "bad-chunk"
    case .status: "status"
    case .raw: "raw"
    case .redirect: "redirect"
    case .tls: "tls"
    }
  }
}
