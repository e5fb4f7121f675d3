import HTTPValues
import NIOCore
import NIOHTTP1
import NIOPosix
import Templates

/// The HTTP server of the backend. It reads whole requests, passes them to the service, and writes the answers.
struct BackendServer {
  private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

  /// The largest number of bytes in the body of a request. Requests of apps are smaller.
  private static let bodyLimit = 1 << 16

  private let service: BackendService

  init(_ service: BackendService) { self.service = service }

  /// Serves until the process ends.
  func serve(onPort port: Int) async throws {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .bind(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          return try Connection(wrappingChannelSynchronously: channel)
        }
      }
    try await withThrowingDiscardingTaskGroup { group in
      try await listener.executeThenClose { connections in
        for try await connection in connections {
          // The failure of one connection does not end the other connections.
          group.addTask { try? await serve(connection) }
        }
      }
    }
  }

  private func serve(_ connection: Connection) async throws {
    try await connection.executeThenClose { parts, answers in
      var request: HTTPRequest?
      for try await part in parts {
        switch part {
        case .head(let head): request = HTTPRequest(head)
        case .body(let bytes):
          request?.body += bytes.readableBytesView
          guard (request?.body.count ?? 0) <= Self.bodyLimit else {
            return try await write(.json(413, ["error": "the body is too long"]), to: answers)
          }
        case .end:
          guard let asked = request else { return }
          try await write(await answer(asked), to: answers)
        }
      }
    }
  }

  private func answer(_ request: HTTPRequest) async -> HTTPResponse {
    var answer = await service.answer(request)
    answer.headers["Date"] = Timestamp.now.httpDate
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Content-Length"] = String(answer.body.count)
    if answer.status == 401 { answer.headers["WWW-Authenticate"] = "Bearer" }
    if request.method == "HEAD" { answer.body = [] }
    return answer
  }

  private func write(
    _ answer: HTTPResponse, to writer: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
  ) async throws {
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status),
      headers: NIOHTTP1.HTTPHeaders(answer.headers.fields.map { ($0.name, $0.value) }))
    try await writer.write(
      contentsOf: [.head(head), .body(.byteBuffer(ByteBuffer(bytes: answer.body))), .end(nil)])
  }
}

extension HTTPRequest {
  fileprivate init(_ head: HTTPRequestHead) {
    self.init(
      method: head.method.rawValue, target: head.uri,
      headers: HTTPValues.HTTPHeaders(head.headers.map { .init(name: $0.name, value: $0.value) }))
  }
}
