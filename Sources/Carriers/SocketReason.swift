import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Describes why a connection failed, in words for people, without the names of functions and types.
enum SocketReason {
  static func text(_ error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      return (error.connectionErrors.first?.error ?? error.dnsAError ?? error.dnsAAAAError).map { text($0) }
        ?? "the host name has no address"
    case let error as IOError: return String(cString: strerror(error.errnoCode))
    case let error as SocketAddressError.UnknownHost: return "the host name '\(error.host)' cannot be resolved"
    case let error as HTTPParserError: return text(error)
    case is ChannelError: return "the time limit of the connection has passed, or it was closed"
    default: return "\(error)"
    }
  }

  private static func text(_ error: HTTPParserError) -> String {
    switch error {
    case .headerOverflow: "the head of the message is too long"
    case .invalidVersion: "the version of HTTP is not 1.0 or 1.1"
    case .invalidHeaderToken, .invalidCharactersUsed: "a header field has a character that HTTP does not allow"
    case .invalidContentLength, .unexpectedContentLength: "the header field 'Content-Length' is not right"
    case .invalidStatus: "the status is not a number of three digits"
    case .invalidEOFState, .closedConnection: "the message ends too early"
    case .invalidChunkSize: "the size of a chunk is not right"
    case .invalidMethod: "the method is not known"
    default: "the message is not HTTP/1.1"
    }
  }
}
