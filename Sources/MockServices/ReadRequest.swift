import ConformanceModel
import ConformanceTranscript
import HTTPValues

/// A request at a service of the kit, looked up once in the table of exchanges.
struct ReadRequest: Sendable {
  /// The request as the transcript shows it: with its exchange, and the difference if it is not exactly that.
  var record: RequestRecord
  /// The exchange. If the book is lenient, it may be the exchange that the request resembles.
  var exchange: Exchange?
  /// If the request only resembles an exchange, the corrected request; otherwise the request as it is.
  var asked: RequestRecord
  /// The request as asked, without the mount point of the service.
  var request: HTTPRequest
}
