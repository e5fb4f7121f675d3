import ArgumentParser
import ConformanceModel
import ConformanceReport
import Files
import FoundationEssentials
import Records
import TextKit

/// The output files of a run: a record, a JUnit file, and a folder of evidence.
package struct ReportFiles {
  package static let defaultFolder = "conform-report"
  /// The name of the record in the folder of a run.
  package static let recordName = "run.jsonl"

  package let record: String
  package let junit: String
  package let junitOptions: JUnitReport.Options
  /// The path of the HTML page; nil if no option names one.
  let html: String?
  package let evidence: String
  /// The usual path of the HTML page, if no option names the page.
  var page: String { "\(folder.path)/\(ReportFolder.page)" }

  private let folder: ReportFolder
  private let isRecordNamed: Bool
  private let isJUnitNamed: Bool

  /// Checks that all files can be written. It changes no file.
  package init(
    folder: String, record: String?, junit: String?, html: String? = nil,
    junitOptions: JUnitReport.Options = .init(), isForced: Bool = false
  ) throws {
    self.record = record ?? "\(folder)/\(Self.recordName)"
    self.junit = junit ?? folder + "/junit.xml"
    (isRecordNamed, isJUnitNamed) = (record != nil, junit != nil)
    self.junitOptions = junitOptions
    self.html = html
    evidence = folder + "/evidence"
    if let obstacle = Self.obstacle(toMaking: evidence) { throw Self.unusable(folder, obstacle) }
    let named = [(self.record, record != nil), (self.junit, junit != nil)] + (html.map { [($0, true)] } ?? [])
    for (file, isNamed) in named {
      // If an option names a file in the folder of the run, the file may be the first file in that folder.
      let isInFolder = file.hasPrefix(folder + "/") && !file.dropFirst(folder.count + 1).contains("/")
      if let obstacle = Self.obstacle(toWriting: file, inNewFolder: !isNamed || isInFolder) {
        throw BadInput("the file '\(file)' cannot be written: \(obstacle); name another file")
      }
    }
    if !Self.canBeReadAgain(self.record) {
      throw BadInput(
        "the file '\(self.record)' is a pipe or a device, but a record is read again later: name a file with --record"
      )
    }
    self.folder = try ReportFolder(folder, isForced: isForced)
  }

  /// Whether a file can be read after the run has written it: the file does not exist yet, or is a regular file.
  private static func canBeReadAgain(_ file: String) -> Bool { FileStatus(file).map { $0.kind == .file } ?? true }

  /// Looks for the names of output files in a command line that cannot be parsed.
  package init?(namedIn words: [String]) {
    func value(of option: String) -> String? {
      zip(words, words.dropFirst() + [""]).reversed().lazy.compactMap { word, next in
        word == option ? next : word.hasPrefix(option + "=") ? String(word.dropFirst(option.count + 1)) : nil
      }.first
    }
    let folder = value(of: "--output") ?? Self.defaultFolder
    guard let files = try? ReportFiles(folder: folder, record: value(of: "--record"), junit: value(of: "--junit"))
    else { return nil }
    self = files
  }

  /// Creates the folders for the output. Deletes the results of earlier runs, and old evidence for the cases of this
  /// run.
  package func prepare(for instances: [CaseInstance]) throws {
    try folder.begin(evidence: instances.map(evidenceName))
    // If the run is killed, the results of the previous run must not remain.
    for (file, isNamed) in [(record, isRecordNamed), (junit, isJUnitNamed)] where isNamed { Disk.removeRegular(file) }
    if let html { Disk.removeRegular(html) }
  }

  /// Marks existing results as outdated, because this run cannot begin.
  package func markResultsAsStale() {
    folder.markResultsAsStale()
    let named = [(record, isRecordNamed), (junit, isJUnitNamed), (html ?? "", html != nil)]
    for (file, isNamed) in named where isNamed && FileStatus(file, followingLinks: false)?.kind == .file {
      try? Disk.rename(file, to: file + ReportFolder.stale)
    }
  }

  /// Creates an empty file for the record.
  package func recordFile() throws(FileProblem) -> OutputFile {
    try isRecordNamed ? OutputFile(record) : folder.file(Self.recordName)
  }

  /// Creates an empty file for the JUnit view.
  package func junitFile() throws(FileProblem) -> OutputFile {
    try isJUnitNamed ? OutputFile(junit) : folder.file("junit.xml")
  }

  /// Creates an empty file for the evidence of one run of a case.
  package func evidenceFile(of instance: CaseInstance) throws(FileProblem) -> OutputFile {
    try folder.evidenceFile(evidenceName(of: instance))
  }

  /// Frees the disk space that was reserved for the last writes of the run.
  package func releaseReserve() { folder.releaseReserve() }

  private static func unusable(_ folder: String, _ reason: String) -> BadInput {
    BadInput("the folder '\(folder)' cannot be written: \(reason); name another with --output")
  }

  /// The reason why a folder cannot be created; nil if the nearest existing parent is a writable folder.
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
    if inNewFolder { return nil }
    let folder = PathParts(file).folder
    return FileManager.default.isWritableFile(atPath: folder) ? nil : "its folder is missing or not writable"
  }

  /// The file name for the evidence of one run of a case. Characters such as `/` are encoded, so that the name cannot
  /// lead out of the folder.
  private func evidenceName(of instance: CaseInstance) -> String {
    var name = ""
    for byte in "\(instance)".utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "@"),
        UInt8(ascii: "["), UInt8(ascii: "]"):
        name.unicodeScalars.append(UnicodeScalar(byte))
      case UInt8(ascii: ".") where !name.isEmpty: name += "."
      default: name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return name + ".jsonl"
  }
}
