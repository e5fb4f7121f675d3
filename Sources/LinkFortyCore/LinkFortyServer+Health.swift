import HTTPValues
import Templates

extension LinkFortyServer {
  /// `GET /api/sdk/v1/health`: says that the server is up; it needs no key.
  func health() -> HTTPResponse {
    .json(200, ["status": "healthy", "version": "v1", "timestamp": .string(Timestamp(milliseconds: now).text)])
  }
}
