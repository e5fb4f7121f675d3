import Digests
import JSONKit
import ReferenceKit

/// The validated options of a creation, copied from the app's options. If the app changes its options later, the copy
/// stays the same.
struct Creation: Hashable, Sendable {
  /// The proof that the app is allowed to create a user. If the options contain both a code and credentials, only the
  /// code is sent.
  enum Proof: Hashable, Sendable {
    case code(String)
    case credentials(appID: String, secret: String)
  }

  static let publicPlatform = "https://api.sentiance.com"

  var proof: Proof
  /// The linker of the app that the SDK must call; nil if it must not call one.
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

  /// Returns the text, or throws an error if it is nil or blank. The error calls the text `name`.
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

  /// A digest of the proof, which identifies the creation. The SDK stores this digest and not the proof itself.
  var key: String { Self.digest(proofMembers.map { $0.1.compactText }) }

  /// A digest of the app's credentials, which the SDK stores in place of the credentials; nil if the proof is a code.
  var credentialsDigest: String? {
    guard case .credentials(let appID, let secret) = proof else { return nil }
    return Self.digest([appID, secret])
  }

  private static func digest(_ texts: [String]) -> String {
    String(decoding: SHA256.hash(texts.joined(separator: "\0").utf8).hexadecimal, as: UTF8.self)
  }
}
