import Foundation
import Testing

/// Each promise of the threat model names existing tests.
@Suite struct ThreatModelTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

  @Test func eachPromiseNamesTestsThatAreThere() throws {
    let page = try String(contentsOf: Self.root.appending(path: "spec/kit/threat-model.md"), encoding: .utf8)
    let start = try #require(page.range(of: "## Promises"))
    let end = try #require(page.range(of: "## Bounds"))
    let rows = page[start.upperBound..<end.lowerBound].split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2)
    #expect(rows.count > 20)
    let folders = try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: "Tests").path)
    let suites = Set(folders.map { URL(filePath: $0).lastPathComponent })
    for row in rows {
      let holders = try #require(row.split(separator: "|").last).matches(of: /`([^`]+)`/).map { String($0.1) }
      #expect(!holders.isEmpty, "nothing holds: \(row)")
      for holder in holders {
        let isThere =
          holder.hasPrefix("bin/")
          ? FileManager.default.isExecutableFile(atPath: Self.root.appending(path: holder).path)
          : suites.contains("\(holder).swift")
        #expect(isThere, "no test is called \(holder)")
      }
    }
  }
}
