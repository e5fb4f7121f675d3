import HTTPValues
import JSONKit
import LinkFortyModel
import Templates

extension LinkFortyServer {
  /// The answer to the report of an install. If a click led to the install, the answer contains the link of the click.
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

  /// Returns the click whose device is most similar to the given device. Compares only the latest thousand clicks and,
  /// of these, only the clicks within the attribution window of their link. If scores are equal, chooses the newest
  /// click.
  private func bestMatch(for device: FingerprintMatcher.Device, window: Int?) -> Match? {
    let matcher = FingerprintMatcher(crossesContexts: dialect != .core121, switches: switches)
    let threshold = threshold
    var best: Match?
    for index in clicks.indices.suffix(1000).reversed() {
      // Most clicks come from other devices. They are read in place, since copying each click took longer than all
      // other work.
      guard matcher.canReach(threshold, clicks[index].device.address, device.address) else { continue }
      let click = clicks[index]
      guard let link = links[click.shortCode], isCredited(click, of: link, window: window) else { continue }
      let score = matcher.score(click.device, device)
      guard score.points >= threshold else { continue }
      let isBetter = best.map { (score.points, click.at) > ($0.score.points, $0.click.at) } ?? true
      if isBetter { best = (click, link, score) }
    }
    return best
  }

  /// The lowest score at which an install is attributed to a click.
  private var threshold: Int {
    if switches.has(.attributionLoose) { return 0 }
    if switches.has(.attributionThresholdExclusive) { return FingerprintMatcher.threshold + 1 }
    return switches.has(.attributionThresholdLow) ? 60 : FingerprintMatcher.threshold
  }

  /// Whether a click is within the attribution window of its link; the end of the window is included. In the dialect
  /// ``ServerDialect/spec``, the window in an SDK's report can narrow the window of the link. The other dialects ignore
  /// the window in the report.
  private func isCredited(_ click: Click, of link: Link, window: Int?) -> Bool {
    if switches.has(.attributionWindowIgnored) { return true }
    if switches.has(.attributionWindowOfAWeek) { return now - click.at <= 168 * 3_600_000 }
    let asked = dialect == .spec && !switches.has(.variantReportWindowIgnored) ? window : nil
    let hours = min(link.attributionWindowHours, asked ?? .max)
    return now - click.at <= hours * 3_600_000
  }
}
