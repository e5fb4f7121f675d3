import ConformancePack
import LinkFortyCore
import LinkFortyModel
import ReferenceKit

/// The reference code of LinkForty.
package enum LinkFortyPack {
  /// The reference server in every dialect, the adapter of the reference SDK, the named checks, and the switches of SDK
  /// and server.
  package static let pack = ProtocolPack(
    name: "linkforty",
    makeServer: { dialect, seed, switches in
      LinkFortyServer(dialect: ServerDialect(dialect), seed: seed, switches: Switches(ids: switches))
    },
    makeMock: { LinkFortyServer(dialect: ServerDialect($0), seed: $1, isLenient: true) },
    serverProvision: ServerProvision(
      values: [
        "apiKey": .string(Seeds.apiKey), "revokedApiKey": .string(Seeds.revokedApiKey),
        "rateLimit": .string(String(RateLimiter.limit)),
        "templateId": .string(Seeds.templateId), "templateSlug": .string(Seeds.templateSlug),
      ], clientAddressHeader: "X-Forwarded-For"),
    adapterExecutable: "linkforty-adapter", checks: LinkFortyChecks.all,
    switches: ["sdk": Switches<SDKSwitch>.allIDs, "server": Switches<ServerSwitch>.allIDs])
}
