import Digests
import JSONKit
import ReferenceKit

/// Valid creation options, as they are at the time of the call.
struct Creation: Hashable, Sendable {
  /// The app's proof that it may create a user. A code wins over credentials, which are then not sent.
  enum Proof: Hashable, Sendable {
    case code(String)
    case credentials(appID: String, secret: String)
  }

  static let publicPlatform = "https://api.sentiance.com"

  var proof: Proof
  /// The app's linker, if there is one to call.
  var linker: Linker?
  var platformURL: String

  init(_ options: UserCreationOptions) throws(SentianceFailure) {
    platformURL = options.platformURL ?? Self.publicPlatform
    guard ServiceAddress(platformURL) != nil else {
      throw SentianceFailure(.invalidArgument, "the platform URL is not an HTTP URL")
    }
    if let code = options.authenticationCode {
      proof = .code(try Self.text(code, "the authentication code"))
    } else {
      proof = .credentials(
        appID: try Self.text(options.appID, "the app id"), secret: try Self.text(options.secret, "the secret"))
      linker = options.linker.flatMap { $0.links ? $0 : nil }
    }
  }

  /// A text that is not blank.
  static func text(_ text: String?, _ name: String) throws(SentianceFailure) -> String {
    guard let text, !text.allSatisfy(\.isWhitespace) else {
      throw SentianceFailure(.invalidArgument, "\(name) is missing")
    }
    return text
  }

  /// The members of the request that prove it.
  var proofMembers: [(String, JSON)] {
    switch proof {
    case .code(let code): [("authentication_code", .string(code))]
    case .credentials(let appID, let secret):
      [("app_id", .string(appID)), ("secret", .string(secret)), ("linking", .bool(linker != nil))]
    }
  }

  /// Distinguishes creations without storing their proof.
  var key: String { Self.digest(proofMembers.map { $0.1.compactText }) }

  /// Distinguishes an app's credentials without storing them; nil for a code.
  var credentialsDigest: String? {
    guard case .credentials(let appID, let secret) = proof else { return nil }
    return Self.digest([appID, secret])
  }

  private static func digest(_ texts: [String]) -> String {
    String(decoding: SHA256.hash(texts.joined(separator: "\0").utf8).hexadecimal, as: UTF8.self)
  }
}
