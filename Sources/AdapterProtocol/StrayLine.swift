/// Examines the beginning of a line that is not a message, to advise the author of the adapter.
enum StrayLine {
  /// The beginnings of lines that build tools and package managers print, with the name of the tool.
  private static let banners: [(beginning: String, tool: String)] = [
    ("> Task ", "Gradle"), ("> Configure project", "Gradle"), ("Starting a Gradle Daemon", "Gradle"),
    ("BUILD SUCCESSFUL", "Gradle"), ("[INFO] ", "Maven"), ("Building package executable", "Dart"),
    ("Resolving dependencies", "Dart"), ("yarn run v", "Yarn"), ("Determining projects to restore", ".NET"),
    ("Building for ", "Swift Package Manager"), ("Build complete!", "Swift Package Manager"),
  ]

  /// Returns a hint for the author of the adapter: where this line comes from, or what the adapter should write
  /// instead.
  static func advice(on line: [UInt8], from source: MessageSource) -> String {
    if line.starts(with: [0xEF, 0xBB, 0xBF]) {
      return "it begins with a byte order mark: write UTF-8 without one"
    }
    let text = String(decoding: line.prefix(VisibleBytes.limit), as: UTF8.self)
    if text.lowercased().hasPrefix("content-length:") {
      return "it is a header of messages as the Language Server Protocol frames them: write each message on one line, "
        + "without headers"
    }
    if let tool = banners.first(where: { text.hasPrefix($0.beginning) })?.tool ?? (isScript(text) ? "npm" : nil) {
      return "it is output of \(tool): start the program without the tool, or make the tool quiet"
    }
    return source == .output ? "logs belong on stderr" : "each message is one JSON object"
  }

  /// Whether npm or pnpm printed the line before it ran a script: `> my-adapter@1.0.0 start`.
  private static func isScript(_ text: String) -> Bool {
    text.hasPrefix("> ") && text.dropFirst(2).prefix { $0 != " " }.dropFirst().contains("@")
  }
}
