import ConformanceModel
import ConformancePack
import HTTPValues
import Templates
import TextKit

/// The first lines of `conform serve`: the addresses, the page, the values that the server knows from its start, and a
/// command to try.
package struct ServeGreeting {
  package let text: String

  package init(_ server: LiveServer, _ catalogue: Catalogue, _ pack: ProtocolPack, _ dialect: Dialect) {
    let kind = pack.hasReferenceServer ? "reference server" : "golden answers"
    let services = catalogue.definition.services.compactMap { service in
      server.urls[service.name].map { (service.name, $0) }
    }
    let first = services.first?.1 ?? ""
    let control = "\(first)\(LiveInterface.path)"
    var rows = services.map { ("\($0)", $1) }
    rows.append(("page", "\(control)#\(server.token)"))
    rows += pack.serverProvision.values.values.sorted { $0.key < $1.key }.map {
      ($0.key, $0.value.string ?? $0.value.compactText)
    }
    if let call = Self.call(catalogue, pack, dialect, services) { rows.append(("try", call)) }
    rows.append(
      (
        "reset",
        "curl -X PATCH -H '\(LiveInterface.tokenField): \(server.token)' -d '{\"reset\":true}' \(control)server"
      ))
    let others = catalogue.definition.dialects.filter { $0 != dialect }.map(\.rawValue)
    if !others.isEmpty { rows.append(("dialect", "\(dialect); others: \(others.joined(separator: ", "))")) }
    let width = rows.map(\.0.count).max() ?? 0
    text =
      "\(catalogue.definition.title) \(kind) (\(dialect)) at \(first) · Ctrl-C ends it\n"
      + rows.map { "  \($0.padded(to: width))  \($1)\n" }.joined()
  }

  /// A curl command for a request that works without any earlier request: the first golden `GET` request that can be
  /// rendered without values of a case. nil if every golden `GET` request needs such values.
  private static func call(
    _ catalogue: Catalogue, _ pack: ProtocolPack, _ dialect: Dialect, _ services: [(ServiceName, String)]
  ) -> String? {
    for (service, url) in services {
      for exchange in catalogue.exchanges where exchange.service == service {
        guard let request = exchange.request(in: dialect), request.method == "GET",
          let bindings = exchange.bindings(nil),
          let rendered = try? request.render(
            pack.serverProvision.values.merging(bindings), models: catalogue.models)
        else { continue }
        return "curl -i '\(url)\(rendered.target)'"
      }
    }
    return nil
  }
}
