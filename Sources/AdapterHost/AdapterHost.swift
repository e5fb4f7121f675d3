import ConformanceModel
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The Swift side of the adapter protocol (`spec/kit/adapter-protocol.md`): an SDK in Swift brings a ``HostedApp`` and
/// gets an adapter.
public enum AdapterHost {
  /// Speaks the protocol over stdin and stdout until `shutdown` or the end of stdin, then exits with code 0.
  ///
  /// `knownCommands` are the protocol's commands that reach the app; any other is answered with -32601. nil lets every
  /// command through, as an adapter does that says yes to everything.
  public static func run(
    identity: AdapterIdentity, knownCommands: Set<String>?,
    makeApp: @escaping @Sendable (AppLaunch, any AppSurroundings) throws -> any HostedApp
  ) -> Never {
    // A kit that is gone shows as the end of stdin; a write to it must not kill the app before that.
    signal(SIGPIPE, SIG_IGN)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let desk = NIOLoopBoundBox.makeEmptyBox(valueType: CommandDesk.self, eventLoop: loop)
    loop.execute {
      desk.value = CommandDesk(identity: identity, knownCommands: knownCommands, loop: loop, makeApp: makeApp)
    }
    var lines = StandardInput()
    while let line = lines.next() {
      loop.execute { desk.value?.take(line) }
    }
    try? loop.submit { desk.value?.end() }.wait()
    exit(0)
  }
}

/// The lines of stdin, read with blocking calls on the main thread, which has nothing else to do.
private struct StandardInput {
  private var buffer: [UInt8] = []
  private var searched = 0
  private var chunk = [UInt8](repeating: 0, count: 64 << 10)

  mutating func next() -> [UInt8]? {
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        searched = 0
        return line
      }
      searched = buffer.count
      let count = chunk.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      buffer.append(contentsOf: chunk[..<count])
    }
  }
}
