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

/// Turns a program in Swift into an adapter: reads the kit's commands (`spec/kit/adapter-protocol.md`), and passes them
/// to a ``HostedApp``, which contains the SDK.
package enum AdapterHost {
  /// The clocks that this host provides for an app.
  package static let clocks = ClockMode.allCases

  /// Serves the protocol over stdin and stdout until `shutdown` or the end of stdin, then exits with code 0.
  ///
  /// All work is on the calling thread, which becomes an event loop. So a command wakes no other thread, and a new
  /// process is ready sooner. Exits with code 64, as in sysexits(3), if the program cannot wait for stdin, for example
  /// because stdin is a file.
  ///
  /// - Parameters:
  ///   - knownCommands: the commands of the protocol that the app receives. Any other command is answered with -32601.
  ///     If nil, the app receives every command, even a command that does not exist.
  ///   - tls: makes the TLS connections of the app's requests. If nil, requests to https fail. An SDK that uses only
  ///     plain HTTP passes nil, so that its program links no TLS library.
  package static func run(
    _ hello: AdapterHello, knownCommands: Set<String>?, tls: (any ClientTLS)? = nil,
    makeApp: @escaping @Sendable (AdapterLaunch, any AppSurroundings) throws -> any HostedApp
  ) -> Never {
    // If the kit has ended, stdin ends too, and that ends this process. An earlier write to the kit must not kill this
    // process.
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

  /// Whether stdin is a pipe, a socket or a terminal. If stdin is a file or /dev/null, the loop cannot wait for input,
  /// because the system reports no events for them.
  private static var canWaitForStdin: Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) || isatty(STDIN_FILENO) == 1
  }
}

/// Splits the bytes from stdin into lines, and passes the lines to the dispatcher. The end of stdin ends the process.
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
