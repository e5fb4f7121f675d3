import ConformanceModel
import ConformanceTranscript
import HTTPValues

/// A request at a service of the kit, with its exchange. The exchange is looked up only once.
struct ReadRequest: Sendable {
  /// The request as a transcript shows it: with the name of its exchange, and with the difference if it does not match
  /// exactly.
  var record: RequestRecord
  /// The exchange that the request matches or, in a lenient book, nearly matches; nil if it matches no exchange.
  var exchange: Exchange?
  /// The request. If it only nearly matches ``exchange``, it is corrected so that it matches.
  var asked: RequestRecord
  /// The HTTP request of ``asked``, without the mount point of the service in its path.
  var request: HTTPRequest
}
