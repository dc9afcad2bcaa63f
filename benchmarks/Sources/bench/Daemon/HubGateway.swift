import Foundation

/// `notesd-postgres serve` as a separate process, and the exchange with it.
final class HubGateway {
    let client: Client
    private let child: Child

    /// - Parameter url: The address of a space.
    init(_ program: String, _ url: String) throws(Failure) {
        let (ours, theirs) = try Descriptor.pair()
        child = try Child([program, "serve", url], environment: ["PATH=/usr/bin:/bin", "HOME=/"], stream: theirs)
        client = try Client(ours)
    }
}

/// First revisions of notes of their own, from one replica.
struct HubRevisions {
    private let replica: UInt64
    private(set) var count: UInt64 = 0

    init(replica: UInt64) {
        self.replica = replica
    }

    /// The next revisions, with a text of 1,024 bytes each.
    mutating func adopt(_ number: Int) -> Request {
        let offers = (0..<number).map { _ in
            count += 1
            return #"{"head":"\#(head.base64EncodedString())","text":\#(SampleText.kilobyte.json(Int(count)))}"#
        }
        return Request(method: "revisions.adopt", params: #"{"revisions":[\#(offers.joined(separator: ","))]}"#)
    }

    /// The newest revision without its text: form, note, replica, counter, no parents, and one edit that inserts the text.
    private var head: Data {
        let note = [0x0189_0a5d_ac96_7000, 1 << 63 | replica << 20 | count].flatMap(Self.bytes)
        let edit = Self.number(1) + [0, 0] + Self.number(UInt64(SampleText.kilobyte.bytes)) + [0]
        return Data([2] + note + Self.bytes(replica) + Self.number(count) + [0, 0] + edit + [5] + Array("bench".utf8) + [0, 0])
    }

    private static func bytes(_ value: UInt64) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    /// LEB128.
    private static func number(_ value: UInt64) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + number(value >> 7)
    }
}
