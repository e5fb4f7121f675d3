/// A language for which the kit has an adapter template.
package enum AdapterLanguage: String, CaseIterable {
  case python, javascript, typescript, java, kotlin, swift, dart

  /// The path of the file that the author of the adapter edits. The file has a function for each command.
  package var file: String {
    switch self {
    case .python: "adapter.py"
    case .javascript: "adapter.mjs"
    case .typescript: "adapter.mts"
    case .java: "Adapter.java"
    case .kotlin: "Adapter.kt"
    case .swift: "Sources/Adapter/main.swift"
    case .dart: "adapter.dart"
    }
  }

  /// The files that are the same for every SDK, and a page for the author. `source` is the path of a file below the
  /// folder of the examples, and `path` is its new path in the folder of the adapter.
  package var modules: [(source: String, path: String)] {
    let parts: [(source: String, path: String)] =
      switch self {
      case .python: [("python/conform_adapter.py", "conform_adapter.py")]
      case .javascript: [("javascript/conformance", "conformance")]
      case .typescript:
        [
          ("javascript/conformance", "conformance"),
          ("templates/typescript/adapter.d.mts", "conformance/adapter.d.mts"),
        ]
      case .java: [Self.javaPart("ConformAdapter.java"), Self.javaPart("Json.java")]
      case .kotlin:
        [
          Self.javaPart("ConformAdapter.java"), Self.javaPart("Json.java"),
          ("templates/kotlin/CoroutineAdapter.kt", "CoroutineAdapter.kt"),
        ]
      case .swift: [("templates/swift/Package.swift", "Package.swift"), ("templates/swift/Sources", "Sources")]
      case .dart: [("templates/dart/conform_adapter.dart", "conform_adapter.dart")]
      }
    return parts + [("templates/\(rawValue)/\(Self.page)", Self.page)]
  }

  private static func javaPart(_ name: String) -> (source: String, path: String) { ("templates/java/\(name)", name) }

  /// The file name of the page that explains the new adapter to its author. The name is not README.md, since most
  /// folders already have such a file.
  static let page = "ADAPTER-README.md"

  /// The shell commands that build an adapter in the folder; empty if the language needs no build.
  package func build(in folder: String) -> [String] {
    func path(_ name: String) -> String { Self.path(name, in: folder) }
    let here = path("")
    return switch self {
    case .python, .javascript, .dart: []
    case .typescript: ["tsc --strict --target es2022 --module node16 \(path("adapter.mts"))"]
    case .java: ["javac -d \(path("build")) \(here)*.java"]
    case .kotlin:
      [
        "javac -d \(path("build")) \(here)*.java",
        "kotlinc -cp \(path("build")) -include-runtime -d \(path("build/adapter.jar")) \(here)*.kt",
      ]
    case .swift: ["swift build --package-path \(folder.quotedForShell)"]
    }
  }

  /// The command that starts the adapter in the folder.
  package func command(in folder: String) -> String {
    func path(_ name: String) -> String { Self.path(name, in: folder) }
    return switch self {
    case .python: "python3 \(path(file))"
    case .javascript: "node \(path(file))"
    case .typescript: "node \(path("adapter.mjs"))"
    case .java: "java -cp \(path("build")) Adapter"
    case .kotlin: "java -cp \(path("build")):\(path("build/adapter.jar")) AdapterKt"
    case .swift: folder == "." ? "./.build/debug/Adapter" : path(".build/debug/Adapter")
    case .dart: "dart run \(path(file))"
    }
  }

  /// The path of a file in the folder, quoted for the shell. For an empty name, the result is the path of the folder
  /// with a slash at its end, or an empty text if the folder is `.`.
  private static func path(_ name: String, in folder: String) -> String {
    guard folder != "." else { return name.isEmpty ? "" : name.quotedForShell }
    return "\(folder)/\(name)".quotedForShell
  }
}
