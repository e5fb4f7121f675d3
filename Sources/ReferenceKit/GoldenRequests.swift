import ConformanceModel
import FoundationEssentials
import JSONKit

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The exchanges that a reference peer asks with, each by the name of its golden file.
package protocol ExchangeList: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {
  /// The protocol whose files they are.
  static var protocolName: String { get }
}

/// How a reference peer asks: the methods and paths of its protocol's golden exchanges.
package struct GoldenRequests<List: ExchangeList>: Sendable {
  /// An exchange that cannot be read, and its file.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  /// Method and path of a request, with the values of its holes in their places.
  package struct Line: Hashable, Sendable {
    package var method: String
    package var path: String

    fileprivate init?(_ request: JSON) {
      guard let method = request["method"]?.string, let path = request["path"]?.string else { return nil }
      (self.method, self.path) = (method, path)
    }
  }

  /// The lines by dialect; `any` stands for those that are not named.
  private var lines: [List: [String: Line]] = [:]

  /// Reads the files below a folder that holds `Fixtures`.
  package init(root: String) throws(Problem) {
    for exchange in List.allCases {
      let file = "\(root)/Fixtures/\(List.protocolName)/exchanges/\(exchange.rawValue).json"
      guard let bytes = try? Data(contentsOf: URL(filePath: file)), let json = try? JSON(parsing: Array(bytes)) else {
        throw Problem(
          description:
            "\(file) cannot be read: expected the exchange '\(exchange.rawValue)', of which the reference of "
            + "\(List.protocolName) takes the path; copy the folder with the fixtures along with the program")
      }
      lines[exchange] = Self.lines(of: json["request"])
      if lines[exchange]?.isEmpty ?? true {
        throw Problem(
          description: "\(file): $.request: expected method and path, found \(json["request"]?.excerpt ?? "none")")
      }
    }
  }

  private static func lines(of request: JSON?) -> [String: Line] {
    guard let request else { return [:] }
    if let line = Line(request) { return [anyDialect: line] }
    return (request.object?.members ?? []).reduce(into: [:]) { $0[$1.key] = Line($1.value) }
  }

  private static var anyDialect: String { "any" }

  /// The line of a request. Each value is put into the hole of its name, encoded as one segment of a path.
  package func line(
    of exchange: List, in dialect: Dialect? = nil, _ values: KeyValuePairs<String, String> = [:],
    encoding: (String) -> String = { PercentEncoding.encode($0) }
  ) -> Line {
    let known = lines[exchange] ?? [:]
    guard var line = dialect.flatMap({ known[$0.rawValue] }) ?? known[Self.anyDialect] else {
      preconditionFailure("'\(exchange.rawValue)' is no exchange of the dialect \(dialect?.rawValue ?? "any")")
    }
    for (name, value) in values { line.path = line.path.replacing("${\(name)}", with: encoding(value)) }
    return line
  }
}

extension GoldenRequests {
  /// The exchanges that the program carries with it. Without one of them it ends at once, and says which is missing.
  package static func carried() -> Self {
    do throws(Problem) { return try Self(root: rootOfProgram) } catch {
      ErrorStream.write("\(error)\n")
      exit(2)
    }
  }

  /// The folder that the build puts beside each program. Who only asks for it links no more of Foundation than this.
  private static var rootOfProgram: String {
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (program.lastIndex(of: "/").map { String(program[..<$0]) } ?? ".") + "/conform_ConformanceData.resources"
  }
}
