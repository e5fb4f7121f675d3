import ArgumentParser
import ConformanceModel
import ConformanceReport
import FoundationEssentials
import Glibc

/// Where a run writes: a record, a JUnit file, and a folder of evidence.
struct ReportFiles {
  let record: String
  let junit: String
  let junitRows: JUnitReport.Rows
  let evidence: String

  private let folder: String

  /// Finds out whether everything can be written, and touches nothing.
  init(folder: String, record: String?, junit: String?, junitRows: JUnitReport.Rows = .verdict) throws {
    self.folder = folder
    self.record = record ?? folder + "/run.jsonl"
    self.junit = junit ?? folder + "/junit.xml"
    self.junitRows = junitRows
    evidence = folder + "/evidence"
    if let obstacle = Self.obstacle(toMaking: evidence) { throw Self.unusable(folder, obstacle) }
    for (file, isNamed) in [(self.record, record != nil), (self.junit, junit != nil)] {
      if let obstacle = Self.obstacle(toWriting: file, inNewFolder: !isNamed) {
        throw BadInput("the file '\(file)' cannot be written: \(obstacle); name another")
      }
    }
  }

  /// Makes the folders, and removes the evidence of an earlier run.
  func prepare() throws {
    do {
      try FileManager.default.createDirectory(atPath: evidence, withIntermediateDirectories: true)
      for name in try FileManager.default.contentsOfDirectory(atPath: evidence) where name.hasSuffix(".jsonl") {
        try FileManager.default.removeItem(atPath: evidence + "/" + name)
      }
    } catch {
      throw Self.unusable(folder, Self.reason(error))
    }
  }

  private static func unusable(_ folder: String, _ reason: String) -> BadInput {
    BadInput("the folder '\(folder)' cannot be written: \(reason); name another with --output")
  }

  /// What stands in the way of a folder: the nearest thing above it that exists must be a folder that is writable.
  private static func obstacle(toMaking path: String) -> String? {
    var path = path[...]
    while !path.isEmpty {
      var isFolder = false
      if FileManager.default.fileExists(atPath: String(path), isDirectory: &isFolder) {
        if !isFolder { return "'\(path)' is a file" }
        return FileManager.default.isWritableFile(atPath: String(path)) ? nil : "'\(path)' is not writable"
      }
      path = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
    }
    return nil
  }

  private static func obstacle(toWriting file: String, inNewFolder: Bool) -> String? {
    var isFolder = false
    if FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) {
      if isFolder { return "it is a folder" }
      return FileManager.default.isWritableFile(atPath: file) ? nil : "it is not writable"
    }
    let parent = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    if inNewFolder { return nil }
    return FileManager.default.isWritableFile(atPath: parent) ? nil : "its folder is missing or not writable"
  }

  /// The file for the evidence of one run of a case: its name with everything encoded that could leave the folder.
  func evidence(of instance: CaseInstance) -> String {
    let name = "\(instance)".utf8.reduce(into: "") { name, byte in
      let scalar = UnicodeScalar(byte)
      let isPlain = scalar.properties.isAlphabetic && scalar.isASCII || ("0"..."9").contains(scalar)
      if isPlain || (scalar == "." && !name.isEmpty) || "-_@[]".unicodeScalars.contains(scalar) {
        name.unicodeScalars.append(scalar)
      } else {
        name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return evidence + "/" + name + ".jsonl"
  }

  private static func reason(_ error: any Error) -> String {
    guard let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code else { return "\(error)" }
    return String(cString: strerror(code.rawValue))
  }
}

extension JUnitReport.Rows: ExpressibleByArgument {}
