import ConformanceModel
import JSONKit

extension LinkFortyServer {
  /// The answer to an install report: with the link of the click that led to it, if one did.
  mutating func attribute(_ body: JSON.Object, _ request: HTTPRequest) -> InstallResponse {
    let id = makeID()
    let device = FingerprintMatcher.Device(installing: body, request)
    guard let match = bestMatch(for: device, window: body["attributionWindowHours"]?.int) else {
      var response = InstallResponse.organic(installId: id)
      if switches.has(.installLatestLinkLeaks) { response.deepLinkData = latestData }
      return response
    }
    var data = match.link.data
    let clickedAt = switches.has(.attributionTimeOfInstall) ? now : match.click.at
    data[text: "clickedAt"] = Timestamp(milliseconds: clickedAt).text
    if dialect != .spec, let url = match.link.originalUrl { data[text: "originalUrl"] = url }
    latestData = data
    return InstallResponse(
      installId: id, attributed: true, confidenceScore: match.score.points, matchedFactors: match.score.factors,
      deepLinkData: data)
  }

  private typealias Match = (click: Click, link: Link, score: FingerprintMatcher.Score)

  /// The click most like the device among the latest thousand that are young enough; of equals the newest.
  private func bestMatch(for device: FingerprintMatcher.Device, window: Int?) -> Match? {
    let matcher = FingerprintMatcher(crossesContexts: dialect != .core121, switches: switches)
    let threshold = threshold
    return clicks.suffix(1000).reversed().compactMap { click -> Match? in
      guard let link = links[click.shortCode], isCredited(click, of: link, window: window) else { return nil }
      let score = matcher.score(click.device, device)
      return score.points >= threshold ? (click, link, score) : nil
    }.reduce(nil) { best, next in
      guard let best else { return next }
      let isBetter = (next.score.points, next.click.at) > (best.score.points, best.click.at)
      return isBetter ? next : best
    }
  }

  /// The score from which on a click is credited.
  private var threshold: Int {
    if switches.has(.attributionLoose) { return 0 }
    if switches.has(.attributionThresholdExclusive) { return FingerprintMatcher.threshold + 1 }
    return switches.has(.attributionThresholdLow) ? 60 : FingerprintMatcher.threshold
  }

  /// A click counts up to and including the end of its link's window. The window that an SDK asks for narrows it
  /// further; Core ignores that one.
  private func isCredited(_ click: Click, of link: Link, window: Int?) -> Bool {
    if switches.has(.attributionWindowIgnored) { return true }
    if switches.has(.attributionWindowOfAWeek) { return now - click.at <= 168 * 3_600_000 }
    let asked = dialect == .spec && !switches.has(.variantReportWindowIgnored) ? window : nil
    let hours = min(link.attributionWindowHours, asked ?? .max)
    return now - click.at <= hours * 3_600_000
  }
}
