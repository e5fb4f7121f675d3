import NIOSSL

/// Why TLS with a server failed, and what to do about it, instead of the words of the TLS library.
enum TLSFailure {
  /// - Parameter host: the name in the URL of the server.
  static func reason(_ error: any Error, host: String) -> String {
    let text = "\(error)"
    if let known = known.first(where: { known in known.marks.contains { text.contains($0) } }) {
      return known.reason(host)
    }
    // What is left has the form `error:1000009a:SSL routines:OPENSSL_internal:HTTP_REQUEST`.
    let words = text.split { !($0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_")) }
    let reason = words.last { $0.contains("_") && $0.first?.isLetter == true }.map { " (\($0))" } ?? ""
    return "the TLS handshake with the server failed\(reason): check the scheme of the URL and the server's certificate"
  }

  private struct Known {
    var marks: [String]
    var reason: @Sendable (_ host: String) -> String
  }

  private static let known = [
    Known(marks: ["failedToValidateHostname"]) { host in
      "the server's certificate is for other names than '\(host)': use a name that it is for"
    },
    Known(marks: ["CERTIFICATE_VERIFY_FAILED"]) { _ in
      "the server's certificate is not trusted here: it is expired, signed by itself, or signed by an authority that"
        + " this machine does not know. For an authority of your own give its certificate as 'trust' in a provisioning"
        + " file, or add it to the system's"
    },
    Known(marks: ["WRONG_VERSION_NUMBER", "INVALID_OUTER_RECORD_TYPE", "RECORD_TOO_LARGE"]) { _ in
      "the server does not speak TLS: use http, or the port on which it does"
    },
    Known(marks: ["CERTIFICATE_REQUIRED", "ALERT_BAD_CERTIFICATE"]) { _ in
      "the server wants a certificate of its client, and the kit has none to show: let it do without one for the run"
    },
    Known(marks: ["UNRECOGNIZED_NAME"]) { host in
      "the server has no site of the name '\(host)': correct the host of the URL"
    },
    Known(marks: ["PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL", "HANDSHAKE_FAILURE", "NO_SHARED_CIPHER"]) { _ in
      "the server and the kit have no version or cipher of TLS in common: it has to offer TLS 1.2 or 1.3"
    },
  ]
}
