import ConformanceModel
import HTTPValues
import JSONKit
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The golden exchanges that a reference uses for its requests. Each raw value is the name of an exchange's file,
/// without `.json`.
package protocol ExchangeList: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {
  /// The name of the protocol to which the golden files belong.
  static var protocolName: String { get }
}

/// The requests of a reference: the methods and paths of its protocol's golden exchanges.
package struct GoldenRequests<List: ExchangeList>: Sendable {
  /// The error that the file of an exchange cannot be read. The description names the file.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  /// The method and the path of a request.
  package struct Line: Hashable, Sendable {
    package var method: String
    package var path: String

    fileprivate init?(_ request: JSON) {
      guard let method = request["method"]?.string, let path = request["path"]?.string else { return nil }
      (self.method, self.path) = (method, path)
    }
  }

  /// The methods and paths of the exchanges that were used so far, by exchange and dialect. The key `any` contains
  /// those for all dialects that have no key of their own.
  private final class Known: Sendable {
    let lines = Mutex<[List: [String: Line]]>([:])
  }

  private let root: String
  private let known = Known()

  /// `root` is the folder that contains `Fixtures`. Throws if the file of an exchange is missing. To save time, the
  /// file of an exchange is not read before the exchange is used: each restart of an app starts the adapter again, and
  /// it then uses only a few exchanges.
  package init(root: String) throws(Problem) {
    self.root = root
    for exchange in List.allCases where !FileBytes.canBeRead(file(of: exchange)) { throw missing(exchange) }
  }

  /// The methods and paths of an exchange, by dialect.
  func lines(of exchange: List) throws(Problem) -> [String: Line] {
    if let lines = known.lines.withLock({ $0[exchange] }) { return lines }
    guard let bytes = FileBytes.read(file(of: exchange)) else { throw missing(exchange) }
    let request: JSON?
    do throws(JSON.SyntaxError) { request = try JSON(member: "request", of: bytes) } catch { throw missing(exchange) }
    let lines = Self.lines(of: request)
    if lines.isEmpty {
      let found = request?.excerpt ?? "none"
      throw Problem(description: "\(file(of: exchange)): $.request: expected method and path, found \(found)")
    }
    known.lines.withLock { $0[exchange] = lines }
    return lines
  }

  private func file(of exchange: List) -> String {
    "\(root)/Fixtures/\(List.protocolName)/exchanges/\(exchange.rawValue).json"
  }

  private func missing(_ exchange: List) -> Problem {
    Problem(
      description:
        "\(file(of: exchange)) cannot be read: expected the exchange '\(exchange.rawValue)', of which the reference of "
        + "\(List.protocolName) takes the path; copy the folder with the fixtures along with the program")
  }

  private static func lines(of request: JSON?) -> [String: Line] {
    guard let request else { return [:] }
    if let line = Line(request) { return [anyDialect: line] }
    return (request.object?.members ?? []).reduce(into: [:]) { $0[$1.key] = Line($1.value) }
  }

  private static var anyDialect: String { "any" }

  /// The method and path of a request. `values` contains the value for each hole of the path, by the name of the hole.
  /// Each value is encoded as one segment of the path. If the file of the exchange cannot be read, the process exits
  /// with a message.
  package func line(
    of exchange: List, in dialect: Dialect? = nil, _ values: KeyValuePairs<String, String> = [:],
    encoding: (String) -> String = { PercentEncoding.encode($0) }
  ) -> Line {
    let known = Self.orEnd { () throws(Problem) in try lines(of: exchange) }
    guard var line = dialect.flatMap({ known[$0.rawValue] }) ?? known[Self.anyDialect] else {
      preconditionFailure("'\(exchange.rawValue)' is not an exchange of the dialect \(dialect?.rawValue ?? "any")")
    }
    line.fill { name in values.first { $0.key == name }.map { encoding($0.value) } }
    return line
  }
}

extension GoldenRequests.Line {
  /// Replaces each hole of the path with the value that `value` returns for its name. If `value` returns nil, the hole
  /// is not changed.
  fileprivate mutating func fill(with value: (Substring) -> String?) {
    var pieces = path.split(separator: "$", omittingEmptySubsequences: false)
    path = String(pieces.removeFirst())
    for piece in pieces {
      if piece.first == "{", let end = piece.firstIndex(of: "}"), let value = value(piece[..<end].dropFirst()) {
        path += value + piece[end...].dropFirst()
      } else {
        path += "$" + piece
      }
    }
  }
}

extension GoldenRequests {
  /// The requests whose files are in the resource folder that the build places beside this program. If the file of an
  /// exchange is missing, the process exits with a message about it.
  package static func carried() -> Self {
    orEnd { () throws(Problem) in try Self(root: rootOfProgram) }
  }

  private static func orEnd<Value>(_ work: () throws(Problem) -> Value) -> Value {
    do throws(Problem) { return try work() } catch {
      ErrorStream.write("\(error)\n")
      exit(2)
    }
  }

  /// The folder with the kit's resources. The build places this folder beside each program.
  private static var rootOfProgram: String {
    let program = FileBytes.destination(ofLink: "/proc/self/exe") ?? ""
    return (program.lastIndex(of: "/").map { String(program[..<$0]) } ?? ".") + "/conform_ConformanceData.resources"
  }
}
