import AdapterHost
import AdapterProtocol
import ConformanceTranscript
import JSONKit

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An adapter of a small app, by which the Swift side of the adapter protocol is tried.
@main
struct ParcelAdapter {
  static func main() {
    AdapterHost.run(
      AdapterHello(
        protocolName: "parcel", specRevision: "1", name: "parcel-swift", version: "1", language: "swift",
        platform: "test", capabilities: ["echo"], declares: ["retryWindowMs": 30], clocks: AdapterHost.clocks,
        instances: .many),
      knownCommands: ["echo", "later", "never", "world", "time", "refuse", "die", "dieSoon"]
    ) { launch, surroundings in
      ParcelApp(launch, surroundings)
    }
  }
}

/// An app that echoes, waits, and reports its surroundings.
private final class ParcelApp: HostedApp {
  private let surroundings: any AppSurroundings
  private var world: JSON.Object
  private var open: [AppTimer] = []

  init(_ launch: AdapterLaunch, _ surroundings: any AppSurroundings) {
    self.surroundings = surroundings
    world = launch.environment
  }

  func perform(_ command: String, _ params: JSON, reply: @escaping (Result<JSON, CommandError>) -> Void) {
    switch command {
    case "echo": reply(.success(params))
    case "world": reply(.success(.object(world)))
    case "time": reply(.success(.int(surroundings.now)))
    case "refuse": reply(.failure(CommandError(kind: "refused", status: 409, message: "no")))
    case "later":
      let timer = surroundings.schedule(after: params["ms"]?.int ?? 0) { [surroundings] in
        surroundings.callBack("rang", .int(surroundings.now))
        reply(.success(.int(surroundings.now)))
      }
      open.append(timer)
    case "die": _exit(3)
    case "dieSoon": open.append(surroundings.schedule(after: 0) { _exit(3) })
    default: break  // `never` is not answered
    }
  }

  func surround(_ facts: JSON.Object) throws {
    for member in facts.members {
      guard member.key != "moon" else { throw CommandError(kind: "unsupported", message: "nobody sees the moon") }
      world[member.key] = member.value
    }
  }

  func quit() { for timer in open { timer.cancel() } }
}
