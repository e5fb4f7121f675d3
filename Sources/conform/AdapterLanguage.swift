/// A language in which an adapter can be begun.
enum AdapterLanguage: String, CaseIterable {
  case python, javascript, typescript, java, kotlin, swift

  /// The file with a function for each command.
  var file: String {
    switch self {
    case .python: "adapter.py"
    case .javascript: "adapter.mjs"
    case .typescript: "adapter.mts"
    case .java: "Adapter.java"
    case .kotlin: "Adapter.kt"
    case .swift: "Sources/Adapter/main.swift"
    }
  }

  /// The parts that no SDK owns: where each is below the folder of the examples, and its path beside the adapter.
  var modules: [(source: String, path: String)] {
    switch self {
    case .python: [("python/conform_adapter.py", "conform_adapter.py")]
    case .javascript: [("javascript/conformance", "conformance")]
    case .typescript:
      [("javascript/conformance", "conformance"), ("templates/typescript/adapter.d.mts", "conformance/adapter.d.mts")]
    case .java, .kotlin: [("templates/java/ConformAdapter.java", "ConformAdapter.java")]
    case .swift: [("templates/swift", "")]
    }
  }

  /// What builds an adapter in the folder, in shell words; none where the language runs from its source.
  func build(in folder: String) -> [String] {
    let here = folder.quotedForShell
    return switch self {
    case .python, .javascript: []
    case .typescript: ["tsc --strict --target es2022 --module node16 \(here)/adapter.mts"]
    case .java: ["javac -d \(here)/build \(here)/*.java"]
    case .kotlin:
      [
        "javac -d \(here)/build \(here)/ConformAdapter.java",
        "kotlinc -cp \(here)/build -include-runtime -d \(here)/build/adapter.jar \(here)/Adapter.kt",
      ]
    case .swift: ["swift build --package-path \(here)"]
    }
  }

  /// The command that starts the adapter in the folder.
  func command(in folder: String) -> String {
    func path(_ name: String) -> String { (folder == "." ? name : "\(folder)/\(name)").quotedForShell }
    return switch self {
    case .python: "python3 \(path(file))"
    case .javascript: "node \(path(file))"
    case .typescript: "node \(path("adapter.mjs"))"
    case .java: "java -cp \(path("build")) Adapter"
    case .kotlin: "java -cp \(path("build")):\(path("build/adapter.jar")) AdapterKt"
    case .swift: folder == "." ? "./.build/debug/Adapter" : path(".build/debug/Adapter")
    }
  }
}
