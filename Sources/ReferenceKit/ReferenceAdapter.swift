import AdapterHost
import AdapterProtocol
import ConformanceWire
import JSONKit

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The adapter program of a reference SDK.
package struct ReferenceAdapter<List: SwitchList>: Sendable {
  package typealias MakeApp =
    @Sendable (AdapterLaunch, any AppSurroundings, Switches<List>) throws -> any HostedApp

  /// The adapter's reply to `hello` if no defect is switched on. It declares all capabilities.
  private let hello: AdapterHello
  /// The names of the protocol's commands. The adapter passes these commands to the app.
  private let commands: Set<String>
  /// Returns the values that an SDK with these switches declares to the kit.
  private let declares: @Sendable (Switches<List>) -> JSON.Object
  private let tls: (any ClientTLS & Sendable)?
  private let makeApp: MakeApp

  package init(
    _ hello: AdapterHello, commands: some Sequence<String>,
    declares: @escaping @Sendable (Switches<List>) -> JSON.Object = { _ in [:] },
    tls: (any ClientTLS & Sendable)? = nil,
    makeApp: @escaping MakeApp
  ) {
    self.hello = hello
    self.commands = Set(commands)
    self.declares = declares
    self.tls = tls
    self.makeApp = makeApp
  }

  /// Reads the arguments and serves until `shutdown`. Exits with 2 for an invalid argument.
  package func main() -> Never {
    let options: ReferenceOptions<List>
    do throws(ReferenceOptions<List>.Problem) {
      options = try ReferenceOptions(CommandLine.arguments.dropFirst())
    } catch {
      ErrorStream.write("\(hello.name): \(error.text)\n")
      exit(2)
    }
    var hello = hello
    hello.declares = declares(options.switches)
    hello.capabilities.removeAll { options.restrictions?.lacks.contains($0) ?? false }
    AdapterHost.run(hello, knownCommands: commands, tls: tls) { [makeApp] launch, surroundings in
      let app = try makeApp(launch, surroundings, options.switches)
      return options.restrictions.map { RestrictedApp(app, $0) } ?? app
    }
  }
}
