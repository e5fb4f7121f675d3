import ConformanceVerdict
import JSONKit

/// A badge with a label and a message, such as the badge of a subject: the conclusion of its last run, and the number
/// of mandatory requirements that the subject keeps.
package struct SiteBadge: Hashable, Sendable {
  let label: String
  let message: String
  let word: Conclusion.Word

  /// The longest text in each half of a badge, in characters.
  private static let longest = 60

  package init(label: String, message: String, word: Conclusion.Word) {
    self.label = label.visibleOnOneLine.cut(at: Self.longest)
    self.message = message.visibleOnOneLine.cut(at: Self.longest)
    self.word = word
  }

  init(of subject: Int, in site: Site) {
    let own = site.subjects[subject]
    let figures = site.figures(of: subject)
    let word = own.newest.conclusion.word
    self.init(
      label: own.title, message: "\(word.badge) \(figures.held)/\(figures.required)", word: word)
  }

  /// The texts of both halves, such as `dart-sdk 1.2.0: not conformant 93/120`.
  package var text: String { "\(label): \(message)" }

  /// The badge as an SVG image.
  package func svg() throws -> String {
    try MarkupTemplates(["badge": PackageResources.badge_mustache]).render(values, with: "badge")
  }

  /// The badge in the JSON form that shields.io reads from an endpoint.
  package var shields: JSON {
    [
      "schemaVersion": 1, "label": .string(label), "message": .string(message), "color": .string(colour.name),
      "isError": .bool(word == .notConformant),
    ]
  }

  /// The values of `badge.mustache`.
  var values: HTMLReport.Values {
    let (left, right) = (width(label), width(message))
    return [
      "label": label, "message": message, "left": left, "right": right, "width": left + right, "middle": left / 2,
      "end": left + right / 2, "colour": colour.code,
    ]
  }

  /// The width of a text in user units, for a font size of eleven.
  private func width(_ text: String) -> Int { 12 + text.count * 7 }

  private var colour: (name: String, code: String) {
    switch word {
    case .conformant: ("brightgreen", "#2c7a3f")
    case .known: ("yellowgreen", "#5f6f12")
    case .notConformant, .staleBaseline: ("red", "#b3261e")
    case .unjudged, .incomplete: ("lightgrey", "#57606a")
    }
  }
}

extension Conclusion.Word {
  /// The text by which a badge shows the conclusion.
  var badge: String {
    switch self {
    case .conformant: "conformant"
    case .known: "known violations"
    case .notConformant: "not conformant"
    case .unjudged: "unjudged"
    case .incomplete: "incomplete"
    case .staleBaseline: "stale baseline"
    }
  }
}
