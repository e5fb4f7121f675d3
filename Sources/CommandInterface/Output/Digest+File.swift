import ConformanceSpec
import Files
import Records

extension Digest {
  /// The digest of a file. The file is read piece by piece.
  package static func ofFile(_ path: String) throws(FileProblem) -> String {
    var file = try InputFile(path)
    var digest = Digest()
    while case let piece = try file.read(), !piece.isEmpty { digest.take(piece) }
    return digest.text
  }
}
