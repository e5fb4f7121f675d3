import ConformanceModel
import ReferenceKit

/// What Mobile Engage brings in code: a reference SDK. Its server is data (`spec/mobile-engage/server.yaml`).
package enum MobileEngagePack {
}
