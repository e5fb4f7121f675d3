import ConformanceModel

/// What Beacon brings in code: its reference server. Its other subjects are programs in `subjects`.
enum BeaconPack {
  static let pack = ProtocolPack(
    name: "beacon",
    makeServer: { dialect, seed, defects in BeaconServer(dialect: dialect, seed: seed, defects: defects) },
    serverProvision: ServerProvision(values: ["apiKey": .string(BeaconServer.key)]),
    adapterExecutable: "beacon-adapter", checks: [:],
    switches: [.init("server"): ["pass.any", "pass.for-ever", "seq.same", "notes.reversed"]])
}
