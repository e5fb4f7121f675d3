import HTTPValues
import Templates

extension LinkFortyServer {
  /// `GET /api/sdk/v1/health`: says that the server is up, to anybody.
  func health() -> HTTPResponse {
    .json(200, ["status": "healthy", "version": "v1", "timestamp": .string(Timestamp(milliseconds: now).text)])
  }
}
