import AdapterProtocol
import ConformanceWire
import NIOCore
import NIOPosix
import Templates

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The Swift side of the adapter protocol (`spec/kit/adapter-protocol.md`): from a ``HostedApp`` around an SDK in Swift
/// it makes an adapter.
package enum AdapterHost {
  /// The clocks that an app of this host can be driven with.
  package static let clocks = ClockMode.allCases

  /// Serves the protocol over stdin and stdout until `shutdown` or the end of stdin, then exits with code 0.
  ///
  /// All work is on the calling thread, which becomes an event loop. So a command wakes no other thread, and a new
  /// process is ready sooner. Exits with code 64, as in sysexits(3), if the program cannot wait for stdin, for example
  /// because stdin is a file.
  ///
  /// - Parameters:
  ///   - knownCommands: the protocol's commands that reach the app; any other is answered with -32601. With nil every
  ///     command reaches the app, as in an adapter that accepts everything.
  ///   - tls: the client side of TLS. With nil, requests to https fail, so an SDK with plain HTTP needs no TLS library.
  package static func run(
    _ hello: AdapterHello, knownCommands: Set<String>?, tls: (any ClientTLS)? = nil,
    makeApp: @escaping @Sendable (AdapterLaunch, any AppSurroundings) throws -> any HostedApp
  ) -> Never {
    // A kit that is gone shows as the end of stdin; a write to it must not kill the app before that.
    signal(SIGPIPE, SIG_IGN)
    guard canWaitForStdin else {
      let text = Array("commands come from a pipe, a socket or a terminal, and stdin is none of them\n".utf8)
      _ = write(STDERR_FILENO, text, text.count)
      exit(EX_USAGE)
    }
    MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { loop in
      NIOPipeBootstrap(group: loop)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let dispatcher = CommandDispatcher(
              hello: hello, knownCommands: knownCommands, tls: tls, loop: loop, makeApp: makeApp)
            try channel.pipeline.syncOperations.addHandler(CommandLines(dispatcher))
          }
        }
        .takingOwnershipOfDescriptor(input: dup(STDIN_FILENO))
        .whenFailure { fatalError("stdin cannot be read: \($0)") }
    }
    exit(0)
  }

  /// Whether stdin is a pipe, a socket or a terminal. The system has no event for a file, or for /dev/null.
  private static var canWaitForStdin: Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) || isatty(STDIN_FILENO) == 1
  }
}

/// Splits the bytes from stdin into lines and passes them to the dispatcher; the end of stdin ends the process.
private final class CommandLines: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let dispatcher: CommandDispatcher
  private var splitter = LineSplitter(limit: nil)

  init(_ dispatcher: CommandDispatcher) { self.dispatcher = dispatcher }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let lines = unwrapInboundIn(data).withUnsafeReadableBytes { splitter.lines(in: $0) }
    dispatcher.take(lines.compactMap { piece in if case .whole(let line) = piece { line } else { nil } })
  }

  func channelInactive(context: ChannelHandlerContext) {
    dispatcher.end()
    exit(0)
  }
}
