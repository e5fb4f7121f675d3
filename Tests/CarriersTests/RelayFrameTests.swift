import NIOCore
import Testing

@testable import Carriers

@Suite struct RelayFrameTests {
  @Test(
    arguments: [.bytes(ByteBuffer(string: "{}\n")), .bytes(ByteBuffer()), .end, .failure("gone"), .log("ä")]
      as [RelayFrame])
  func aFrameIsReadAsItWasWritten(frame: RelayFrame) {
    var whole = ByteBuffer()
    frame.write(into: &whole)
    for count in 0..<whole.readableBytes {
      var part = whole.getSlice(at: 0, length: count) ?? ByteBuffer()
      #expect(RelayFrame.read(from: &part) == nil, "of \(count) bytes")
    }
    frame.write(into: &whole)
    #expect(RelayFrame.read(from: &whole) == frame)
    #expect(RelayFrame.read(from: &whole) == frame)
    #expect(whole.readableBytes == 0)
  }
}
