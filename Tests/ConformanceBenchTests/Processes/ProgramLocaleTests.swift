import Foundation
import Templates
import Testing

@testable import Processes

/// The time zone and the language that programs under test are started with.
@Suite struct ProgramLocaleTests {
  @Test func theSameSeedDrawsTheSameAndSeedsReachEachZoneAndLanguage() {
    let drawn = (0..<200).map { ProgramLocale.drawn(by: $0) }
    #expect(drawn == (0..<200).map { ProgramLocale.drawn(by: $0) })
    #expect(Set(drawn.map(\.timeZone)) == Set(ProgramLocale.zones.map(\.name)))
    #expect(Set(drawn.map(\.language)) == Set(ProgramLocale.languages))
  }

  /// Else a local time could be taken for UTC, in winter at least.
  @Test(arguments: ProgramLocale.zones) func noZoneIsEverAtUTC(_ zone: ProgramLocale.Zone) throws {
    let known = try #require(TimeZone(identifier: zone.name))
    let change = try #require(Timestamp(zone.beforeChange)).milliseconds
    let before = known.secondsFromGMT(for: Date(timeIntervalSince1970: Double(change) / 1000))
    let after = known.secondsFromGMT(for: Date(timeIntervalSince1970: Double(change) / 1000 + 60))
    #expect(before != after, "its clocks are changed within a minute of \(zone.beforeChange)")
    #expect(before != 0 && after != 0)
  }

  @Test(
    arguments: [
      ([:], "C.UTF-8"), (["LANG": "de_DE.UTF-8"], "de_DE.UTF-8"),
      (["LANG": "C.UTF-8", "LC_ALL": "", "LC_CTYPE": "en_US.UTF-8"], "en_US.UTF-8"),
      (["LANG": "C.UTF-8", "LC_ALL": "POSIX"], "POSIX"),
    ] as [([String: String], String)])
  func theEncodingStaysThatOfTheKit(_ inherited: [String: String], _ encoding: String) {
    let variables = ProgramLocale(timeZone: "Europe/Athens", language: "tr_TR").variables { inherited[$0] }
    #expect(
      variables == [
        "TZ": "Europe/Athens", "LANG": "tr_TR.UTF-8", "LC_ALL": "", "LC_CTYPE": encoding,
        "JAVA_TOOL_OPTIONS": "-Duser.language=tr -Duser.country=TR",
      ])
  }

  @Test func optionsOfJavaAreKept() {
    let variables = ProgramLocale(timeZone: "Europe/Athens", language: "ar_EG").variables {
      $0 == "JAVA_TOOL_OPTIONS" ? "-Xmx64m" : nil
    }
    #expect(variables["JAVA_TOOL_OPTIONS"] == "-Xmx64m -Duser.language=ar -Duser.country=EG")
  }

  @Test(arguments: [
    ("TZ=UTC ./adapter", "UTC", "tr_TR"), ("LANG=C ./adapter", "Europe/Athens", "C"),
    ("LC_ALL=de_DE ./adapter", "Europe/Athens", "de_DE"), ("./adapter", "Europe/Athens", "tr_TR"),
  ])
  func variablesOfTheCommandWin(_ text: String, _ zone: String, _ language: String) throws {
    let command = try ProgramCommand(shellLike: text)
    let locale = ProgramLocale(timeZone: "Europe/Athens", language: "tr_TR")
    let placed = command.placed(in: locale)
    #expect(locale.overridden(by: command) == ProgramLocale(timeZone: zone, language: language))
    #expect(placed.environment["TZ"] == zone)
    for (name, value) in command.environment { #expect(placed.environment[name] == value) }
    let ownsLanguage = command.environment.keys.contains { $0.hasPrefix("L") }
    #expect((placed.environment["LC_ALL"] == "") == !ownsLanguage)
    // Else a Java machine would speak another language than the record says.
    #expect((placed.environment["JAVA_TOOL_OPTIONS"] == nil) == ownsLanguage)
  }
}
