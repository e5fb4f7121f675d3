import HTTPValues
import ReferenceKit

// Crashes of the app.
extension SDKSeams {
  func crashes(on input: SDKInput) -> Bool {
    switch input {
    case .answered(_, .success(let response)):
      has(.crashOnAnswer) && (200...299).contains(response.status) && Octets(response.body).json?.object == nil
    case .answered(_, .failure): has(.crashOnFailure)
    case .call(_, .handleURL(let url)): has(.crashOnInput) && URLText(url)?.scheme == nil
    default: false
    }
  }
}
