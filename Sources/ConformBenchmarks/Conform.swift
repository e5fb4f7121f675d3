import FoundationEssentials

/// The paths of the programs under measurement.
enum Conform {
  /// The path of the program `conform` from the same build.
  static func path() throws -> String { try path(of: "conform") }

  /// The path of this program.
  static func benchmarks() throws -> String { try path(of: "conform-benchmarks") }

  /// The path of the adapter of a reference SDK, from the same build.
  static func adapter() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder())
    return try path(of: names.filter { $0.hasSuffix("-adapter") }.sorted().first ?? "the adapter of a reference SDK")
  }

  private static func folder() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)])
  }

  private static func path(of name: String) throws -> String {
    let path = try folder() + "/\(name)"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchFailure("there is no \(path): run bin/bench, which builds the whole package")
    }
    return path
  }

  /// The path of the folder with the catalogue, from the same build.
  static func catalogue() throws -> String { try path() + "_ConformanceData.resources" }
}
