import ConformanceModel

/// The time zone and the language with which the programs of a subject are started.
///
/// Both are unusual on purpose. On an English machine in UTC, some mistakes have no effect: a local time that is sent
/// with a `Z`, a price that is formatted in the local language, and `ID` in lower case by Turkish rules (with a dotless
/// ı).
package struct ProgramLocale: Hashable, Sendable {
  /// A time zone whose offset is never zero, and an instant shortly before its clocks change.
  package struct Zone: Hashable, Sendable {
    var name: String
    /// The instant, in ISO 8601 in UTC.
    package var beforeChange: String
  }

  /// The time zones. All of them have daylight saving time, and three have offsets that are not whole hours.
  static let zones = [
    Zone(name: "Pacific/Chatham", beforeChange: "2026-04-04T13:59:40.005Z"),
    Zone(name: "America/St_Johns", beforeChange: "2026-03-08T05:29:40.050Z"),
    Zone(name: "Australia/Lord_Howe", beforeChange: "2026-10-03T15:29:40.120Z"),
    Zone(name: "America/Los_Angeles", beforeChange: "2026-11-01T08:59:40.900Z"),
    Zone(name: "Europe/Athens", beforeChange: "2026-10-25T00:59:40.000Z"),
  ]

  /// The languages. `tr_TR` has a dotless i and a decimal comma, `ar_EG` and `fa_IR` have digits of other scripts, and
  /// `de_DE` has a decimal comma.
  static let languages = ["tr_TR", "ar_EG", "de_DE", "fa_IR"]

  /// A name of the time zone database, such as `Europe/Athens`.
  package var timeZone: String
  /// A language and a region, such as `tr_TR`.
  package var language: String

  /// The locale that a seed selects.
  package static func drawn(by seed: UInt64) -> ProgramLocale {
    let (zone, language) = draw(seed)
    return ProgramLocale(timeZone: zone.name, language: language)
  }

  /// The time zone that a seed selects, with its change of clocks.
  package static func zone(drawnBy seed: UInt64) -> Zone { draw(seed).zone }

  private static func draw(_ seed: UInt64) -> (zone: Zone, language: String) {
    var random = SeededRandom(seed: seed)
    return (random.pick(zones), random.pick(languages))
  }

  /// The locale of a program: the command's own variables for time zone and language take precedence.
  package func overridden(by command: ProgramCommand) -> ProgramLocale {
    let own = command.environment
    return ProgramLocale(
      timeZone: own["TZ"] ?? timeZone, language: own["LC_ALL"] ?? own["LANG"] ?? language)
  }

  /// The environment variables that set the locale.
  ///
  /// `LC_CTYPE` keeps the encoding of the kit. Few machines have the language installed, and programs would otherwise
  /// fall back to ASCII. A Java virtual machine would not find such a language in the C library, so it gets the
  /// language as properties.
  ///
  /// - Parameter inherited: returns the value of a variable in the kit's own environment.
  func variables(inherited: (String) -> String?) -> [String: String] {
    func value(_ name: String) -> String? { inherited(name).flatMap { $0.isEmpty ? nil : $0 } }
    let parts = language.split(separator: "_")
    let properties = ["-Duser.language=\(parts[0])"] + parts.dropFirst().map { "-Duser.country=\($0)" }
    return [
      "TZ": timeZone,
      "LANG": "\(language).UTF-8",
      "LC_ALL": "",
      "LC_CTYPE": value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "C.UTF-8",
      "JAVA_TOOL_OPTIONS": ([value("JAVA_TOOL_OPTIONS")].compactMap(\.self) + properties).joined(separator: " "),
    ]
  }
}

extension ProgramCommand {
  /// The command with variables for this locale. The command's own variables take precedence.
  package func placed(in locale: ProgramLocale) -> ProgramCommand {
    var command = self
    // If a command sets a language itself, no variable except `TZ` is added.
    let ownsLanguage = environment.keys.contains { $0 == "LANG" || $0.hasPrefix("LC_") }
    for (name, value) in locale.variables(inherited: ChildProcess.inherited) where environment[name] == nil {
      if !ownsLanguage || name == "TZ" { command.environment[name] = value }
    }
    return command
  }
}
