/// The reason why TLS with a server failed, in plain words and with advice.
enum TLSFailure {
  /// - Parameter host: the name in the URL of the server.
  static func reason(_ problem: TLSProblem, host: String) -> String {
    if problem.isOtherName { return otherName(host) }
    guard let known = known.first(where: { known in known.marks.contains { problem.reason.contains($0) } }) else {
      return
        "the TLS handshake with the server failed (\(problem.reason)): check the scheme of the URL and the server's"
        + " certificate"
    }
    return known.reason(host)
  }

  private static func otherName(_ host: String) -> String {
    "the server's certificate is for other names than '\(host)': use a name that it is for"
  }

  private struct Known {
    var marks: [String]
    var reason: @Sendable (_ host: String) -> String
  }

  private static let known = [
    Known(marks: ["certificate verify failed"]) { _ in
      "the server's certificate is not trusted here: it is expired, signed by itself, or signed by an authority that"
        + " this machine does not know. For an authority of your own give its certificate as 'trust' in a provisioning"
        + " file, or add it to the system's"
    },
    Known(marks: ["wrong version number", "packet length too long", "record layer failure"]) { _ in
      "the server does not speak TLS: use http, or the port on which it does"
    },
    Known(marks: ["certificate required", "alert bad certificate"]) { _ in
      "the server requires a client certificate, which the kit does not have: switch that requirement off for the run"
    },
    Known(marks: ["unrecognized name"]) { host in
      "the server has no site of the name '\(host)': correct the host of the URL"
    },
    Known(marks: ["protocol version", "unsupported protocol", "handshake failure", "no shared cipher"]) { _ in
      "the server and the kit have no version or cipher of TLS in common: it has to offer TLS 1.2 or 1.3"
    },
  ]
}
