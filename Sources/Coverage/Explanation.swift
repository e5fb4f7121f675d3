import ConformanceModel
import ConformanceSpec
import JSONKit
import TextKit

/// A requirement, position, case, defect, variant or other named thing of the catalogue, with everything linked to it.
package struct Explanation: Sendable {
  /// A line of the explanation. It is about another thing that is linked to the explained thing, or contains a fact
  /// about the explained thing, such as `source`.
  package struct Entry: Hashable, Sendable {
    package var label: String
    package var text: String
  }

  /// The name of the thing, and its kind.
  package var title: String
  /// The sentence of the catalogue that describes the thing.
  package var text: String
  package var entries: [Entry] = []

  /// Explains a name. If the catalogue does not contain it, throws an error with similar names.
  package init(of name: String, in sources: CatalogueSources) throws(UnknownName) {
    let catalogue = sources.catalogue
    if let located = sources.requirements.first(where: { $0.value.id.rawValue == name }) {
      self.init(requirement: located, sources)
    } else if let located = sources.positions.first(where: { $0.value.id.rawValue == name }) {
      self.init(position: located, sources)
    } else if let found = catalogue.case(CaseID(String(name.prefix { !"[@ ".contains($0) }))),
      let located = sources.cases.first(where: { $0.value.id == found.id })
    {
      self.init(case: located, sources)
    } else if let located = sources.defects.first(where: { $0.value.id.rawValue == name }) {
      self.init(defect: located, sources)
    } else if let located = sources.variants.first(where: { $0.value.id.rawValue == name }) {
      self.init(title: "variant \(name) of the reference \(located.value.side)", text: located.value.text)
      add("defined", located.place)
    } else if let located = sources.exchanges.first(where: { $0.value.name == name }) {
      self.init(exchange: located, sources)
    } else if let explanation = Explanation(general: name, in: catalogue) {
      self = explanation
    } else {
      throw UnknownName(name: name, nearest: Nearest.words(to: name, in: sources.names))
    }
  }

  init(title: String, text: String) {
    self.title = title
    self.text = text
  }

  mutating func add(_ label: String, _ text: String?) {
    if let text { entries.append(Entry(label: label, text: text)) }
  }
}

/// A name that the catalogue does not contain.
package struct UnknownName: Error, Hashable, Sendable, CustomStringConvertible {
  package var name: String
  /// Similar names, the most similar first.
  package var nearest: [String]

  package var description: String {
    let advice = nearest.isEmpty ? "" : " — did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: " or "))?"
    return
      "expected the name of a requirement, position, case, defect, variant, exchange, command, capability, feature, dialect or gate, or a word of reports such as baseline, found \"\(name)\"\(advice)"
  }
}

extension Explanation: CustomStringConvertible {
  /// The title, the sentence, and one line for each entry.
  package var description: String {
    let table = ColumnTable(entries.map { [$0.label, $0.text] })
    return ([title, "", "  \(text)", ""] + table.lines.map { "  " + $0 }).joined(separator: "\n") + "\n"
  }
}

extension Explanation {
  fileprivate init(requirement located: Located<Requirement>, _ sources: CatalogueSources) {
    let requirement = located.value
    self.init(
      title: "\(requirement.level.rawValue) \(requirement.id), role \(requirement.role)", text: requirement.text)
    let source = requirement.source
    add("source", "\(source.document), \(source.section) (\(source.revision)), \(requirement.basis.rawValue)")
    let feature = sources.definition.value.features.first { $0.number == requirement.feature }
    add("feature", feature.map { "\($0.number) \($0.name)" })
    add("condition", requirement.condition.map { "only for subjects with \($0)" })
    for position in sources.positions.map(\.value) where requirement.positions.contains(position.id) {
      add("position", "\(position.id): \(position.gap) \(position.text)")
    }
    add("untestable", requirement.untestable)
    add("withdrawn", requirement.withdrawn)
    add("defined", located.place)
    for one in sources.cases where one.value.scenarios.contains(where: { $0.claims(requirement.id) }) {
      add("case", "\(one.value.id): \(one.value.title)")
    }
    for one in sources.defects where one.value.breaks.contains(requirement.id) {
      let noticing = one.value.caseName.map { " Noticed by \($0)." } ?? ""
      add("defect", "\(one.value.id): \(one.value.text)\(noticing)")
    }
  }

  fileprivate init(position located: Located<Position>, _ sources: CatalogueSources) {
    let position = located.value
    self.init(title: "position \(position.id)", text: position.text)
    add("gap", position.gap)
    add("defined", located.place)
    for one in sources.requirements where one.value.positions.contains(position.id) {
      add("requirement", "\(one.value.id): \(one.value.text)")
    }
  }

  fileprivate init(defect located: Located<Defect>, _ sources: CatalogueSources) {
    let defect = located.value
    self.init(title: "defect \(defect.id) of the reference \(defect.side)", text: defect.text)
    for id in defect.breaks {
      let broken = sources.requirements.first { $0.value.id == id }?.value
      add("breaks", "\(id)\(broken.map { ": \($0.text)" } ?? "")")
    }
    for (id, reason) in defect.follows.sorted(by: { $0.key < $1.key }) { add("follows", "\(id): \(reason)") }
    add("noticed", defect.caseName)
    add("dialect", defect.dialect?.rawValue)
    add("must survive", defect.mustSurvive)
    add("defined", located.place)
  }

  /// Explains the request and the answers as the file of the exchange writes them. There, a name in braces is a value,
  /// and a member with a question mark is optional.
  fileprivate init(exchange located: Located<Exchange>, _ sources: CatalogueSources) {
    let exchange = located.value
    self.init(title: "exchange \(exchange.name) at \(exchange.service)", text: exchange.text)
    let written = located.document.value[located.path]
    for (dialect, request) in written?["request"].map(Self.byDialect) ?? [] {
      add("request" + dialect, "\(request["method"]?.string ?? "") \(request["path"]?.string ?? "")")
      for part in ["query", "headers"] {
        for field in request[part]?.object?.members ?? [] {
          add("  " + part, "\(field.key): \(field.value.string ?? field.value.compactText)")
        }
      }
      add("  body", request["body"]?.compactText)
    }
    if let holes = exchange.boundHoles {
      add("request", "whatever the binding file says, with \(holes.map { "${\($0)}" }.joined(separator: ", "))")
      let names = Self.boundAnswers(to: exchange.name, sources)
      add(
        "answers", names.isEmpty ? nil : "cases read \(names.joined(separator: ", ")): the file has the place of each")
    }
    add("capability", exchange.capability)
    for answer in written?["responses"]?.object?.members ?? [] {
      for (dialect, response) in Self.byDialect(answer.value) {
        let status = response["status"]?.compactText
        let body = (response["body"] ?? response["bytes"])?.compactText
        add("answer \(answer.key)" + dialect, [status, body].compactMap(\.self).joined(separator: " "))
      }
    }
    add("defined", located.place)
  }

  /// The names of the values that cases read from the answers to an exchange whose form the subject's binding file
  /// defines. This file contains the place of each value in the answer.
  private static func boundAnswers(to exchange: String, _ sources: CatalogueSources) -> [String] {
    let moments = sources.definition.value.moments
    let looks = sources.scenarioSites.flatMap { site in
      let timeline = ScenarioTimeline(site, moments: moments)
      return site.assertions.flatMap { timeline.looks(of: $0.assertion) }
    }
    let places = looks.filter { $0.kind == .answer && $0.name == exchange }.flatMap(\.places)
    let parts: Set = ["status", "headers", "body", "text", "request"]
    return Set(places.compactMap(\.path.steps.first)).subtracting(parts).sorted()
  }

  /// The forms of a request or an answer by dialect. The dialect is written as ` @core-1.21`; it is empty for a form
  /// that all dialects share.
  private static func byDialect(_ written: JSON) -> [(dialect: String, value: JSON)] {
    guard written["method"] == nil else { return [("", written)] }
    return (written.object?.members ?? []).map { ($0.key == Dialect.any.rawValue ? "" : " @\($0.key)", $0.value) }
  }

  /// Explains a case by its steps and claims, as the file of the case writes them: the holes for the values of rows are
  /// not filled.
  fileprivate init(case located: Located<Case>, _ sources: CatalogueSources) {
    let value = located.value
    self.init(title: "case \(value.id), role \(value.role)", text: value.title)
    add("dialects", value.dialects.map(\.rawValue).joined(separator: ", "))
    add("needs", value.needs.isEmpty ? nil : value.needs.joined(separator: ", "))
    add("mount", value.mount.isEmpty ? nil : value.mount)
    add("formerly", value.aliases.isEmpty ? nil : value.aliases.map(\.rawValue).joined(separator: ", "))
    add("defined", located.place)
    let written = located.document.value[located.path]
    add("alone", value.runsAlone ? "no other case runs beside it" : nil)
    for row in written?["rows"]?.array ?? [] { add("row", row.phrase) }
    add("environment", written?["environment"]?.phrase)
    for state in written?["given"].map({ $0.array ?? [$0] }) ?? [] { add("given", state.givenPhrase(sources)) }
    for (index, step) in (written?["steps"]?.array ?? []).enumerated() { add("step \(index + 1)", step.phrase) }
    for witness in written?["witness"]?.array ?? [] { add("witness", witness.phrase) }
    for control in written?["controls"]?.array ?? [] { add("control", control.phrase) }
    for claim in written?["assumes"]?.array ?? [] { add("assumes", claim.assumedPhrase(sources)) }
    for claim in written?["claims"]?.array ?? [] { add("claim", claim.phrase) }
    for one in sources.defects where one.value.caseName?.prefix(while: { $0 != "[" }) ?? "" == value.id.rawValue {
      add("defect", "\(one.value.id): \(one.value.text)")
    }
  }
}

extension Located {
  /// The place of the value, such as `spec/beacon/cases/offline.yaml:12`.
  package var place: String { "\(document.file):\(document.position(of: path).line)" }
}

extension Case.Scenario {
  fileprivate func claims(_ id: RequirementID) -> Bool { claims.contains { $0.requirement == id } }
}

extension CatalogueSources {
  /// Every name that can be explained.
  fileprivate var names: [String] {
    requirements.map(\.value.id.rawValue) + positions.map(\.value.id.rawValue)
      + cases.flatMap { [$0.value.id.rawValue] + $0.value.aliases.map(\.rawValue) }
      + defects.map(\.value.id.rawValue) + variants.map(\.value.id.rawValue) + exchanges.map(\.value.name)
      + Explanation.generalNames(in: catalogue.definition)
  }
}

extension JSON {
  /// A line about a state in which a case begins: its name in the case, its text, and its requirements.
  fileprivate func givenPhrase(_ sources: CatalogueSources) -> String {
    let name = string ?? self["state"]?.string ?? ""
    guard let state = sources.states.first(where: { $0.value.name == name }) else { return string ?? phrase }
    let rules = state.value.precondition.requirements.map(\.rawValue).joined(separator: ", ")
    return "\(string ?? phrase): \(state.value.text)" + (rules.isEmpty ? "" : " (\(rules))")
  }

  fileprivate func assumedPhrase(_ sources: CatalogueSources) -> String {
    guard let name = string, let assumption = sources.assumptions.first(where: { $0.value.name == name }) else {
      return phrase
    }
    return "\(name): \(assumption.value.text.phrase)"
  }

  /// A step or claim on one line, such as `call initialize, with {"url":"${main.url}"}, as first`.
  fileprivate var phrase: String {
    guard let object else { return compactText }
    return object.members.map { "\($0.key) \($0.value.string ?? $0.value.compactText)" }.joined(separator: ", ")
  }
}
