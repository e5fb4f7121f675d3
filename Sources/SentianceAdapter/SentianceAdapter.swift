import AdapterHost
import AdapterProtocol
import ConformanceTLS
import JSONKit
import ReferenceKit
import Sentiance

/// The adapter of the reference SDK of Sentiance.
@main
struct SentianceAdapter {
  static func main() {
    // Missing data is reported at the start, not at the first request.
    _ = SentianceExchange.golden
    ReferenceAdapter<SentianceSwitch>(
      AdapterHello(
        protocolName: "sentiance", specRevision: "2023-09-15", name: "sentiance-reference", version: "1.0.0",
        language: "swift", platform: "linux", capabilities: capabilities, dialects: ["v2"], clocks: AdapterHost.clocks,
        instances: .many),
      commands: CommandName.allCases.map(\.rawValue), declares: { _ in SentianceCore.declared },
      tls: OpenSSLClient()
    ) {
      try SentianceApp($0, $1, switches: $2)
    }.main()
  }

  private static let capabilities = [
    "create-with-code", "create-with-linker", "user-state", "user-id", "reset", "late-linker", "late-code",
    "platform-url", "user-token", "user-linked-before-init", "init-state", "enabled-state", "refresh",
    "options-getters", "mutable-options", "linker-sync", "linker-async", "linker-promise", "no-op-linker",
    "linker-throws", "linker-threads", "background-linker", "completion-threads", "answer-threads", "main-thread",
    "screen-size",
    "form-factor", "legacy-init", "legacy-no-linker", "remote-disabled-issue", "builder", "tls",
  ]
}
