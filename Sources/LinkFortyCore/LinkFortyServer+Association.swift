import HTTPValues

extension LinkFortyServer {
  /// `GET /.well-known/apple-app-site-association` and `/.well-known/assetlinks.json`: the apps that open the links of
  /// this host. Core serves neither file until it is configured.
  func association(_ platform: UserAgent.Platform) throws(Refusal) -> HTTPResponse {
    guard !dialect.isCore else {
      return .json(
        404,
        [
          "error": "Not configured", "message": "No app is associated with this host",
          "docs": "https://docs.linkforty.com/",
        ])
    }
    switch platform {
    case .ios:
      return .json(
        200,
        [
          "applinks": [
            "apps": [],
            "details": [["appID": "ABCDE12345.com.example.shop", "paths": ["*"]]],
          ]
        ])
    case .android:
      return .json(
        200,
        [
          [
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": [
              "namespace": "android_app", "package_name": "com.example.shop", "sha256_cert_fingerprints": [],
            ],
          ]
        ])
    }
  }
}
