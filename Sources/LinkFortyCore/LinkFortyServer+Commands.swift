import ConformanceTranscript
import JSONKit
import LinkFortyModel

/// The commands of an operator, which are not part of the API. Cases use them for links, states and ages that no client
/// can create.
extension LinkFortyServer {
  package mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome {
    self.now = now
    do throws(CommandError) {
      switch command {
      case "createTemplate": return .result(createTemplate(params["slug"]?.string ?? ""))
      case "createLink": return .result(try createLink(params["options"]?.object ?? [:]))
      case "setLinkState": try setLinkState(params)
      case "ageClicks": try ageClicks(params)
      default: throw CommandError(kind: CommandError.unsupported, message: "there is no command '\(command)'")
      }
      return .result(.null)
    } catch {
      return .error(error)
    }
  }

  private mutating func createTemplate(_ slug: String) -> JSON {
    let template = templates.values.first { $0.slug == slug } ?? LinkTemplate(id: random.uuid(), slug: slug)
    templates[template.id] = template
    return ["templateId": .string(template.id), "templateSlug": .string(slug)]
  }

  private mutating func createLink(_ options: JSON.Object) throws(CommandError) -> JSON {
    var members = options
    members["shortCode"] = .string(random.shortCode())
    members["linkId"] = .string(makeID())
    members["templateId"] = nil
    members["attributionWindowHours"] = nil
    let named = options["templateId"]?.string
    let template = named.flatMap { templates[$0] }
    guard let data = try? DeepLinkData(JSONField(.object(members))) else {
      throw refusal("no link can be made of \(JSON.object(options).excerpt)")
    }
    guard named == nil || template != nil else { throw refusal("no template has the id '\(named ?? "")'") }
    let link = Link(
      data: data, templateSlug: template?.slug, templateId: template?.id,
      attributionWindowHours: options["attributionWindowHours"]?.int ?? 168)
    links[link.shortCode] = link
    return [
      "linkId": data.linkId.map(JSON.string) ?? .null, "shortCode": .string(link.shortCode),
      "templateSlug": link.templateSlug.map(JSON.string) ?? .null,
      "templateId": link.templateId.map(JSON.string) ?? .null,
    ]
  }

  private mutating func setLinkState(_ params: JSON.Object) throws(CommandError) {
    var link = try link(of: params)
    link.isActive = params["state"] != "inactive"
    link.expiresAt = params["state"] == "expired" ? now - 1000 : nil
    links[link.shortCode] = link
  }

  private mutating func ageClicks(_ params: JSON.Object) throws(CommandError) {
    let code = try link(of: params).shortCode
    let span = (params["seconds"]?.int ?? 0) * 1000
    for index in clicks.indices where clicks[index].shortCode == code { clicks[index].at -= span }
  }

  private func link(of params: JSON.Object) throws(CommandError) -> Link {
    guard let link = params["shortCode"]?.string.flatMap({ links[$0] }) else {
      throw refusal("no link has the short code '\(params["shortCode"]?.string ?? "")'")
    }
    return link
  }

  private func refusal(_ message: String) -> CommandError {
    CommandError(kind: CommandError.hookFailed, message: message)
  }
}
