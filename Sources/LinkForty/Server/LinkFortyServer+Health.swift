import ConformanceModel

extension LinkFortyServer {
  /// `GET /api/sdk/v1/health`: says that the server is up, to anybody.
  func health(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    if switches.has(.healthNeedsKey) { try authorize(request) }
    if switches.has(.healthIsText) {
      return HTTPResponse(status: 200, headers: ["Content-Type": "text/plain"], body: Array("healthy".utf8))
    }
    return .json(200, ["status": "healthy", "version": "v1", "timestamp": .string(Timestamp(milliseconds: now).text)])
  }
}
