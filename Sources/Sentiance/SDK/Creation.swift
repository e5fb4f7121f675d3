import Digests
import JSONKit
import ReferenceKit

/// Validated creation options. Later changes of the app's options have no effect on them.
struct Creation: Hashable, Sendable {
  /// The app's proof that it may create a user. If there are a code and credentials, only the code is sent.
  enum Proof: Hashable, Sendable {
    case code(String)
    case credentials(appID: String, secret: String)
  }

  static let publicPlatform = "https://api.sentiance.com"

  var proof: Proof
  /// The app's linker; nil if there is no linker to call.
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

  /// The text. Throws if it is nil or blank.
  static func text(_ text: String?, _ name: String) throws(SentianceFailure) -> String {
    guard let text, !text.allSatisfy(\.isWhitespace) else {
      throw SentianceFailure(.invalidArgument, "\(name) is missing")
    }
    return text
  }

  /// The members of the request that contain the proof.
  var proofMembers: [(String, JSON)] {
    switch proof {
    case .code(let code): [("authentication_code", .string(code))]
    case .credentials(let appID, let secret):
      [("app_id", .string(appID)), ("secret", .string(secret)), ("linking", .bool(linker != nil))]
    }
  }

  /// A digest that identifies the creation, so that its proof need not be stored.
  var key: String { Self.digest(proofMembers.map { $0.1.compactText }) }

  /// A digest that identifies the app's credentials, so that they need not be stored; nil for a code.
  var credentialsDigest: String? {
    guard case .credentials(let appID, let secret) = proof else { return nil }
    return Self.digest([appID, secret])
  }

  private static func digest(_ texts: [String]) -> String {
    String(decoding: SHA256.hash(texts.joined(separator: "\0").utf8).hexadecimal, as: UTF8.self)
  }
}
