import ConformanceModel
import ConformanceSpec
import JSONKit
import Templates

/// The number of cases in which a member has a value of each class. The members belong to commands, to requests that
/// the kit sends, and to answers that the kit gives.
package struct ValueCoverage {
  /// One table for each kind of value, with the reasons of `coverage.yaml`.
  package let grids: [(kind: ValueClass.Kind, grid: CoverageGrid)]
  /// The names of the cells without a case. A cell with a reason is included.
  package let openCells: [String]

  package init(_ sources: CatalogueSources) {
    self.init(sources, scenarios: sources.scenarioSites)
  }

  package init(_ sources: CatalogueSources, scenarios: [ScenarioSite]) {
    var tally = ValueTally(sources.definition.value, sources.exchanges.map(\.value))
    for site in scenarios {
      for step in site.steps { tally.add(step.step.action, of: site.located.value.id) }
    }
    let reasons = sources.coverage.values.map(\.value)
    grids = ValueClass.Kind.allCases.map { kind in
      (kind, Self.grid(of: kind, tally.uses[kind] ?? [:]).explained(by: reasons))
    }
    openCells = grids.flatMap(\.grid.openCells)
  }

  private static func grid(of kind: ValueClass.Kind, _ uses: ValueTally.Uses) -> CoverageGrid {
    CoverageGrid(
      columns: kind.classes.map { .init(name: $0.rawValue, heading: $0.heading, text: $0.text) },
      rows: uses.sorted { $0.key < $1.key }.map { member, cases in
        .init(
          group: member.group + ".", name: member.path.description,
          cells: kind.classes.map { .init(count: cases[$0]?.count ?? 0, reason: nil) })
      }, unit: "cases")
  }
}

/// Collects the cases in which each member has a value of each class.
private struct ValueTally {
  /// A member such as `properties.*`, and the command or exchange to which it belongs.
  struct Member: Hashable, Comparable {
    var group: String
    var path = MemberPath()

    /// The step in a path for every member of an object in which all names are allowed.
    static let any = "*"

    /// Whether the path is for all members of an object in which all names are allowed.
    var isFree: Bool { path.steps.last == Self.any }

    /// The row for the names of this object's members. A name counts as a value, because cases choose the names.
    var names: Self { Self(group: group, path: MemberPath(path.steps.dropLast() + ["names"])) }

    func appending(_ step: String) -> Self { Self(group: group, path: path.appending(step)) }

    static func < (left: Self, right: Self) -> Bool {
      (left.group, left.path.description) < (right.group, right.path.description)
    }
  }

  typealias Uses = [Member: [ValueClass: Set<CaseID>]]

  private static let handle = "handle"

  private(set) var uses: [ValueClass.Kind: Uses] = [:]
  /// The members that the protocol defines by name.
  private var declared: Set<Member> = []
  private let exchanges: [String: Exchange]

  /// Starts with the members that the commands of a protocol define, so that a member without a value has a row, too.
  init(_ definition: ProtocolDefinition, _ exchanges: [Exchange]) {
    self.exchanges = Dictionary(exchanges.map { ($0.name, $0) }) { first, _ in first }
    for command in definition.commands { declare(command.params, at: Member(group: "call \(command.name)")) }
  }

  private mutating func declare(_ schema: JSON, at member: Member) {
    declared.insert(member)
    if let kind = ValueClass.Kind(schemaType: schema["type"]?.string) { note(kind, [], at: member, of: nil) }
    for part in schema["properties"]?.object?.members ?? [] where part.key != Self.handle {
      declare(part.value, at: member.appending(part.key))
    }
  }

  mutating func add(_ action: Step.Action, of id: CaseID) {
    switch action {
    case .call(let call): add(call.params.source, at: Member(group: "call \(call.command)"), of: id)
    case .operate(let call): add(call.params.source, at: Member(group: "call \(call.command)"), of: id)
    case .send(let send): add(send, of: id)
    case .answer(let answer): add(answer, of: id)
    case .explore(let exploration): add(exploration, of: id)
    default: break
    }
  }

  private mutating func add(_ send: Step.Send, of id: CaseID) {
    let member = Member(group: "send \(send.exchange)")
    addHoles(send.with.source, at: member, of: id)
    guard let exchange = exchanges[send.exchange] else { return }
    let places = HolePlaces(requestsOf: exchange)
    if let body = send.body { addHoles(places.values(in: body.source, at: MemberPath()), at: member, of: id) }
    add(send.edits, send.headers, at: places, of: member, id)
    // A set of values that the case names was chosen for the case; the default set was not.
    let asked = exchange.requests.values.reduce(into: Set<String>()) { $0.formUnion($1.holeNames) }
    for (hole, value) in send.bindings.flatMap({ exchange.bindings[$0] })?.values ?? [:] where asked.contains(hole) {
      add(value, at: member.appending(hole), of: id)
    }
  }

  private mutating func add(_ answer: Step.Answer, of id: CaseID) {
    let member = Member(group: "answer \(answer.exchange)")
    addHoles(answer.with.source, at: member, of: id)
    guard let exchange = exchanges[answer.exchange] else { return }
    add(answer.edits, answer.headers, at: HolePlaces(responses: answer.response, of: exchange), of: member, id)
  }

  /// Adds the values that edits of the body or of header fields put in place of a hole's value.
  private mutating func add(
    _ edits: [Step.Edit], _ headers: [String: Template?], at places: HolePlaces, of member: Member, _ id: CaseID
  ) {
    for edit in edits {
      guard let value = edit.value?.source else { continue }
      addHoles(places.values(in: value, at: MemberPath(edit.path)), at: member, of: id)
    }
    for (name, template) in headers {
      guard let text = template?.source.string else { continue }
      addHoles(places.values(inField: name, text), at: member, of: id)
    }
  }

  private mutating func addHoles(_ values: [(path: MemberPath, value: JSON)], at member: Member, of id: CaseID) {
    for (path, value) in values { add(value, at: Member(group: member.group, path: path), of: id) }
  }

  /// Adds the values from which each operation of an exploration chooses.
  private mutating func add(_ exploration: Exploration, of id: CaseID) {
    for draw in exploration.draws {
      let member =
        switch draw.action {
        case .send(let exchange): Member(group: "send \(exchange)")
        case .call(let command): Member(group: "call \(command)")
        }
      addHoles(draw.with.source, at: member, of: id)
      for part in draw.with.source.object?.members ?? [] {
        for choice in exploration.choices where part.value.string == "${\(choice.name)}" {
          for value in choice.values { add(value.source, at: member.appending(part.key), of: id) }
        }
      }
    }
  }

  /// Adds the values for the holes of an exchange. Each hole is a separate member.
  private mutating func addHoles(_ values: JSON, at member: Member, of id: CaseID) {
    for part in values.object?.members ?? [] { add(part.value, at: member.appending(part.key.withoutMark), of: id) }
  }

  private mutating func add(_ value: JSON, at member: Member, of id: CaseID) {
    switch value {
    case .string(let text):
      if let literal = text.withoutHoles { note(.text, ValueClass.classes(of: literal), at: member, of: id) }
    case .number(let number): note(.number, ValueClass.classes(of: number), at: member, of: id)
    case .array(let list):
      note(.list, ValueClass.classes(of: list), at: member, of: id)
      let elements = member.isFree ? member : member.appending(MemberPath.element)
      for element in list { add(element, at: elements, of: id) }
    case .object(let object):
      if let unit = object["$repeat"]?.string {
        return note(.text, ValueClass.classes(of: unit, times: object["times"]?.number?.int ?? 1), at: member, of: id)
      }
      if let element = object["$list"] {
        let times = object["times"]?.number?.int ?? ValueClass.twoOrMore
        return add(.array(Array(repeating: element, count: min(times, ValueClass.twoOrMore))), at: member, of: id)
      }
      for part in object.members { add(part, in: member, of: id) }
    case .null, .bool: break
    }
  }

  private mutating func add(_ part: JSON.Object.Member, in member: Member, of id: CaseID) {
    // An operator such as `$absent` is not a member; `$$price` is the member `$price`.
    if part.key.hasPrefix("$"), !part.key.hasPrefix("$$") { return }
    // A handle names a callback for the kit; the SDK never sees it.
    if member.path.steps.isEmpty, part.key == Self.handle { return }
    let named = member.appending(part.key.withoutMark)
    if declared.contains(named) { return add(part.value, at: named, of: id) }
    let free = member.isFree ? member : member.appending(Member.any)
    note(.text, ValueClass.classes(of: part.key.withoutMark), at: free.names, of: id)
    add(part.value, at: free, of: id)
  }

  private mutating func note(_ kind: ValueClass.Kind, _ classes: Set<ValueClass>, at member: Member, of id: CaseID?) {
    var cases = uses[kind]?[member] ?? [:]
    for one in classes { cases[one, default: []].formUnion(id.map { [$0] } ?? []) }
    uses[kind, default: [:]][member] = cases
  }
}

extension ValueClass.Kind {
  /// The kind of values with this type in a JSON Schema; nil for objects and booleans.
  fileprivate init?(schemaType: String?) {
    switch schemaType {
    case "string": self = .text
    case "number", "integer": self = .number
    case "array": self = .list
    default: return nil
    }
  }
}

extension ValueClass {
  /// A heading with at most four characters.
  fileprivate var heading: String {
    switch self {
    case .signs: "sign"
    case .escape: "esc"
    case .capital: "I"
    case .marks: "mark"
    case .nonASCII: "ext"
    case .supplementary: "emo"
    case .blank: "blk"
    case .quote: "quo"
    case .control: "ctl"
    case .negative: "neg"
    case .fraction: "frac"
    case .digits: "dig"
    default: rawValue
    }
  }
}

extension String {
  /// The text without the holes of a template. nil if the text contains only holes. A hole that is filled with percent
  /// escapes counts as a percent sign.
  fileprivate var withoutHoles: String? {
    let rest = replacing(/\$\{[^{}]*\.\$escaped\}/, with: "%").replacing(/\$\{[^{}]*\}/, with: "")
    return rest.isEmpty && !isEmpty ? nil : rest
  }

  /// The name of a member, without the question mark that makes a member optional.
  fileprivate var withoutMark: String { hasSuffix("?") ? String(dropLast()) : self }
}
