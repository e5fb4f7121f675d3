import FoundationEssentials

/// The cost of a case in which there are many observations, and each step searches for a different one. With twice the
/// number of observations, the case should take twice the time, not four times.
struct ManyObservations {
  static let figure = "5,000 observations in one case"

  /// The case. Each event makes four observations: a command, its reply, a request and its response. A step waits for
  /// each event.
  ///
  /// The case is not part of the catalogue, since other cases check the same behaviour of a subject.
  private static let text = """
    kit: 2
    cases:
      - case: bench.observations
        title: Many events in one case
        role: sdk
        needs: [initialization, events]
        rows: [ { row: "4", sent: 1 }, { row: "2500", sent: 625 }, { row: "5000", sent: 1250 } ]
        steps:
          - { call: initialize, with: { baseUrl: "${api.url}" } }
          - repeat:
              times: "${sent}"
              as: n
              steps:
                - { call: trackEvent, with: { name: "e${n}" } }
                - { await: { request: event, where: { body: { eventName: "e${n}" } } } }
        claims:
          - { requirement: LF-EVT-003, count: { request: event, is: "${sent}" } }

    """

  func measurements() throws -> [Measurement] {
    let root = try catalogue()
    let (few, half, many) = (
      try processor(root, row: "4"), try processor(root, row: "2500"), try processor(root, row: "5000")
    )
    return [
      Measurement(
        "\(Self.figure), processor time", many, "s", against: .init(name: "2,500 observations", value: half),
        target: .ratioAtMost(2)),
      // The first figure contains the fixed cost of a run. The fixed cost could hide that each observation costs more
      // than the observation before it. This figure leaves out the fixed cost. The ratio is about 2 for linear work,
      // and 4 for quadratic work.
      Measurement(
        "\(Self.figure), for the observations alone", many - few, "s",
        against: .init(name: "2,500 observations; both without what a run with 4 takes", value: half - few),
        target: .ratioAtMost(2.5)),
    ]
  }

  /// A copy of the catalogue to which the case is added.
  private func catalogue() throws -> ScratchFolder {
    let root = try ScratchFolder()
    for name in ["spec", "Fixtures"] {
      try FileManager.default.copyItem(atPath: "\(try Conform.catalogue())/\(name)", toPath: "\(root.path)/\(name)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(root.path)/spec").sorted()
    guard let name = names.first(where: { FileManager.default.fileExists(atPath: "\(root.path)/spec/\($0)/cases") })
    else { throw BenchFailure("the catalogue holds no protocol with cases") }
    try Data(Self.text.utf8).write(to: URL(filePath: "\(root.path)/spec/\(name)/cases/bench.yaml"))
    return root
  }

  /// Runs the case with this row of its table, and returns the processor time of the run in seconds.
  private func processor(_ root: ScratchFolder, row: String) throws -> Double {
    try ReferenceRun(
      [
        "--root", root.path, "--role", "sdk", "--dialect", "spec", "--case", "bench.observations[\(row)]",
        "--time-limit", "600",
      ], repetitions: 3, within: .seconds(600)
    ).processor
  }
}
