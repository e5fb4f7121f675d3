import JSONKit

/// What goes wrong on the wire, and how often.
package struct Fault: Hashable, Sendable {
  /// The ways a request can fail.
  package enum Kind: Hashable, Sendable {
    /// Nothing listens on the port. Holds for every request, whatever the exchange.
    case refuse
    /// The request is read, then the connection closes without an answer; the server may have acted on it before.
    case drop(serverActs: Bool)
    /// The request is read and never answered.
    case hang
    /// The right answer waits until so many are there, or until it is released.
    case hold(until: Int?)
    /// The connection is reset (RST) after so many bytes of the response.
    case reset(afterBytes: Int)
    /// The right answer, later.
    case delay(LogicalTime)
    /// The right answer in pieces of so many bytes, one each interval.
    case drip(bytes: Int, every: LogicalTime)
    /// The right header, then only so many bytes of the body, then the connection closes.
    case truncate(bytes: Int)
    /// The right header, then only so many bytes of the body, then nothing more, on a connection that stays open.
    case stall(afterBytes: Int)
    /// A Content-Length that differs from the body's by this much; the connection closes after the body.
    case wrongLength(by: Int)
    /// A chunked body whose chunk size is not hexadecimal.
    case badChunk
    /// Another status with a JSON error body.
    case status(Int)
    /// Exactly these bytes instead of a response, then the connection closes.
    case raw(Octets)
    /// A redirect with this status and location.
    case redirect(status: Int, location: String)
    /// The service shows a certificate that its client must not believe. Holds for every connection until it is healed.
    case tls(CertificateFlaw)
  }

  /// Why a certificate must not be believed.
  package enum CertificateFlaw: String, CaseIterable, Sendable {
    /// An authority signed it that the client was not told of.
    case unknownAuthority = "unknown-authority"
    /// Its time is over.
    case expired
    /// It is for another name.
    case wrongName = "wrong-name"
  }

  package var kind: Kind
  /// The service at which it happens; nil for that of its exchange, and without one for all.
  package var service: ServiceName?
  /// The exchange it applies to; nil for every request.
  package var exchange: String?
  /// Only requests that match, in the view of ``RequestRecord/view``.
  package var filter: Template?
  /// How many matching requests pass before it starts.
  package var skip: Int
  /// How many times it happens; nil until healed.
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
  /// The words of the vocabulary, each once.
  package static let words = [
    "refuse", "drop", "hang", "hold", "reset", "delay", "drip", "truncate", "stall", "wrong-length", "bad-chunk",
    "status", "raw", "redirect", "tls",
  ]

  /// Whether it is a state of a service rather than something that happens to a request.
  package var isOfService: Bool {
    switch self {
    case .refuse, .tls: true
    default: false
    }
  }

  /// The word a case uses for it.
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
