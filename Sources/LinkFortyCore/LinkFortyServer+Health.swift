import HTTPValues
import Templates

extension LinkFortyServer {
  /// `GET /api/sdk/v1/health`: reports that the server is running. The route needs no key.
  func health() -> HTTPResponse {
    .json(200, ["status": "healthy", "version": "v1", "timestamp": .string(Timestamp(milliseconds: now).text)])
  }
}
