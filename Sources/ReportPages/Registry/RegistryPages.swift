import Files
import JSONKit
import TextKit

/// The pages of a registry of certificates: a list, a page for each certificate with its report, a page that shows the
/// evidence in a bundle, and badges.
package struct RegistryPages {
  /// A certificate, with the facts that its pages show.
  package struct Certificate: Sendable {
    /// The status of a certificate on a page. A certificate that cannot be verified is listed with another status than
    /// valid.
    package enum Status: String, CaseIterable, Sendable {
      case valid, expiring, grace, expired, failing, relegated, revoked
      case invalid = "not valid"
    }

    package var id: String
    package var protocolName: String
    package var revision: String
    package var tier: String
    package var subjects: [String]
    package var dialects: [String]
    /// The names of the features from which the subject kept at least one requirement in the run.
    package var features: [String]
    package var status: Status
    /// One sentence for each reason why the certificate is revoked, failing or not valid.
    package var reasons: [String]
    /// The day of issue, `YYYY-MM-DD`.
    package var issued: String
    package var expires: String
    package var issuer: String?
    /// One sentence for each fact that the certificate proves. ``unproven`` contains the facts that it does not prove.
    package var proven: [String]
    package var unproven: [String]
    /// One line for each fact about the project of the subject that the issuer checked or attests.
    package var claims: [String]
    /// The address of the bundle, relative to the page or absolute; nil if the registry does not have the bundle.
    package var bundle: String?
    /// The names of the files with the public keys that signed the bundle. The files are in the folder `keys` of the
    /// site.
    package var keys: [String]
    /// The command that verifies the bundle, for a folder that contains the bundle and the files with the keys. Nil if
    /// no known key has signed the bundle.
    package var verification: String?
    /// The command that repeats the run; nil if the certificate cannot be verified.
    package var rerun: String?
    /// A sentence about those verdicts in the report that do not count for the certificate; nil if all verdicts count.
    package var note: String?
    /// The report of the run as a separate page; nil if the certificate cannot be verified.
    package var report: String?

    package init(
      id: String, protocolName: String, revision: String, tier: String, subjects: [String], dialects: [String] = [],
      features: [String] = [], status: Status, reasons: [String] = [], issued: String, expires: String,
      issuer: String? = nil, proven: [String] = [], unproven: [String] = [], claims: [String] = [],
      bundle: String? = nil, keys: [String] = [], verification: String? = nil, rerun: String? = nil,
      note: String? = nil, report: String? = nil
    ) {
      self.id = id
      self.protocolName = protocolName
      self.revision = revision
      self.tier = tier
      self.subjects = subjects
      self.dialects = dialects
      self.features = features
      self.status = status
      self.reasons = reasons
      self.issued = issued
      self.expires = expires
      self.issuer = issuer
      self.proven = proven
      self.unproven = unproven
      self.claims = claims
      self.bundle = bundle
      self.keys = keys
      self.verification = verification
      self.rerun = rerun
      self.note = note
      self.report = report
    }
  }

  private let certificates: [Certificate]
  /// The instant at which the certificates have the shown statuses, since certificates expire.
  private let moment: String
  private let style = PackageResources.site_css

  /// The file name of the list of certificates, without `.html` or `.json`.
  private let list: String
  private let isBesideDashboard: Bool

  /// - Parameter isBesideDashboard: whether the folder also contains the pages of a ``Site``, which need the name
  ///   `index.html`.
  package init(_ certificates: [Certificate], at moment: String, isBesideDashboard: Bool = false) {
    self.certificates = certificates
    self.moment = moment
    self.isBesideDashboard = isBesideDashboard
    list = isBesideDashboard ? "certificates" : "index"
  }

  /// All files. The list comes first.
  package func files() throws -> [Site.File] {
    let templates = try MarkupTemplates([
      "head": PackageResources.site_head_mustache, "index": PackageResources.registry_index_mustache,
      "certificate": PackageResources.registry_certificate_mustache,
      "evidence": PackageResources.registry_evidence_mustache,
    ])
    var files = [
      Site.File(path: "\(list).html", text: try templates.render(index, with: "index")),
      Site.File(path: "\(list).json", text: data.prettyText + "\n"),
      Site.File(path: "evidence.html", text: try templates.render(evidence, with: "evidence")),
    ]
    for certificate in certificates {
      let badge = certificate.badge
      files += [
        Site.File(
          path: "certificates/\(certificate.id).html",
          text: try templates.render(try page(certificate), with: "certificate")),
        Site.File(path: "badges/\(certificate.id).svg", text: try badge.svg()),
        Site.File(path: "badges/\(certificate.id).json", text: badge.shields.prettyText + "\n"),
      ]
      if let report = certificate.report {
        files.append(Site.File(path: "reports/\(certificate.id).html", text: report))
      }
    }
    return files
  }

  private func common(_ title: String, up: String, script: [UInt8] = PackageResources.registry_js) -> HTMLReport.Values
  {
    [
      "style": String(decoding: style, as: UTF8.self), "styleDigest": MarkupTemplates.source(of: style),
      "script": String(decoding: script, as: UTF8.self), "scriptDigest": MarkupTemplates.source(of: script),
      "title": title.visibleOnOneLine, "protocol": "registry", "moment": moment, "up": up,
      "list": list, "isBesideDashboard": isBesideDashboard,
    ]
  }

  /// The values of the page that reads a bundle in the browser. The page loads only bundles that are on its own site.
  private var evidence: HTMLReport.Values {
    common("Evidence", up: "", script: PackageResources.evidence_js).merging(["reads": true]) { $1 }
  }

  private var index: HTMLReport.Values {
    var values = common("Certificates", up: "")
    values["count"] = "certificate".counted(certificates.count)
    values["filters"] = filters
    values["certificates"] = certificates.map { certificate in
      line(certificate).merging([
        "tags": certificate.tags.map { "\($0.name)=\($0.value)".visibleOnOneLine }.joined(separator: "\n")
      ]) { $1 }
    }
    return values
  }

  /// The filters of the list. Each consists of a property and the values of this property in the certificates.
  private var filters: [HTMLReport.Values] {
    Certificate.properties.map { name in
      let values = Set(certificates.flatMap(\.tags).filter { $0.name == name }.map(\.value)).sorted()
      return [
        "filter": name, "options": values.map { ["option": $0.visibleOnOneLine] as HTMLReport.Values },
      ] as HTMLReport.Values
    }
  }

  private func line(_ certificate: Certificate) -> HTMLReport.Values {
    [
      "file": certificate.id, "names": certificate.subjects.joined(separator: " with ").visibleOnOneLine,
      "of": certificate.protocolName.visibleOnOneLine, "revision": certificate.revision.visibleOnOneLine,
      "tier": certificate.tier.visibleOnOneLine,
      "dialects": certificate.dialects.joined(separator: ", ").visibleOnOneLine,
      "status": certificate.status.rawValue, "tone": certificate.status.tone, "issued": certificate.issued,
      "expires": certificate.expires,
    ]
  }

  private func page(_ certificate: Certificate) throws -> HTMLReport.Values {
    func sentences(_ name: String, _ texts: [String]) -> [HTMLReport.Values] {
      texts.map { [name: $0.visibleOnOneLine] }
    }
    var values = common(certificate.subjects.joined(separator: " with "), up: "../").merging(line(certificate)) { $1 }
    values["issuer"] = (certificate.issuer ?? "not named").visibleOnOneLine
    values["reasons"] = sentences("reason", certificate.reasons)
    values["hasReasons"] = !certificate.reasons.isEmpty
    values["proven"] = sentences("proof", certificate.proven)
    values["unproven"] = sentences("doubt", certificate.unproven)
    values["isProven"] = !certificate.proven.isEmpty
    values["features"] = sentences("feature", certificate.features)
    values["hasFeatures"] = !certificate.features.isEmpty
    values["claims"] = sentences("claim", certificate.claims)
    values["hasClaims"] = !certificate.claims.isEmpty
    values["bundle"] = certificate.bundle?.visibleOnOneLine
    values["keys"] = sentences("key", certificate.keys)
    values["verification"] = certificate.verification?.visibleOnOneLine
    values["rerun"] = certificate.rerun?.visibleOnOneLine
    values["note"] = certificate.note?.visibleOnOneLine
    values["hasBundle"] = certificate.bundle != nil && certificate.verification != nil
    values["hasRerun"] = certificate.rerun != nil
    values["hasNote"] = certificate.note != nil
    values["hasReport"] = certificate.report != nil
    values["evidence"] = certificate.localBundle.map { "#bundle=certificates/\($0)" } ?? ""
    values["badge"] = try certificate.badge.svg()
    return values
  }

  /// The list of certificates as JSON, for programs.
  private var data: JSON {
    .array(
      certificates.map { certificate in
        .object(compact: [
          ("id", .string(certificate.id)), ("protocol", .string(certificate.protocolName)),
          ("revision", .string(certificate.revision)), ("tier", .string(certificate.tier)),
          ("subjects", .strings(certificate.subjects)), ("dialects", .strings(certificate.dialects)),
          ("features", .strings(certificate.features)), ("status", .string(certificate.status.rawValue)),
          ("issued", .string(certificate.issued)), ("expires", .string(certificate.expires)),
        ])
      })
  }
}

extension RegistryPages.Certificate {
  /// The properties by which the list can be filtered.
  fileprivate static let properties = ["protocol", "tier", "feature", "dialect", "status"]

  fileprivate var tags: [(name: String, value: String)] {
    [("protocol", protocolName), ("tier", tier), ("status", status.rawValue)] + features.map { ("feature", $0) }
      + dialects.map { ("dialect", $0) }
  }

  /// The name of the bundle in the site's folder `certificates`; nil if the bundle is not in the site.
  fileprivate var localBundle: String? { bundle.flatMap { $0.contains("/") ? nil : $0 } }

  /// The badge of the certificate. Its text is `certified for REVISION until DATE` as long as the certificate is valid.
  package var badge: SiteBadge {
    let label = subjects.joined(separator: " with ")
    return switch status {
    case .valid: SiteBadge(label: label, message: "certified for \(revision) until \(expires)", word: .conformant)
    case .expiring: SiteBadge(label: label, message: "certified for \(revision) until \(expires)", word: .known)
    case .grace: SiteBadge(label: label, message: "certified for \(revision), renewal due", word: .known)
    case .failing: SiteBadge(label: label, message: "certified for \(revision), later runs fail", word: .known)
    case .expired: SiteBadge(label: label, message: "certificate ended \(expires)", word: .incomplete)
    case .relegated: SiteBadge(label: label, message: "certificate relegated", word: .notConformant)
    case .revoked: SiteBadge(label: label, message: "certificate revoked", word: .notConformant)
    case .invalid: SiteBadge(label: label, message: "certificate not valid", word: .notConformant)
    }
  }
}

extension RegistryPages.Certificate.Status {
  /// The CSS class of cells with the status.
  fileprivate var tone: String {
    switch self {
    case .valid: "done"
    case .expiring, .grace, .failing: "partial"
    case .expired: "none"
    case .relegated, .revoked, .invalid: "missing"
    }
  }
}
