import Foundation

/// The least that a server can do: it reads a request of a fixed length from a socket, makes some bytes durable if it is told
/// to, and writes an answer of a fixed length to another.
final class EchoYardstick {
    private let request: Descriptor
    private let answer: Descriptor
    private let requestBytes: [UInt8]
    private var answerBuffer: [UInt8]

    /// - Parameter disk: where the request is made durable before it is answered; nil: it is not.
    init(requestBytes: Int, answerBytes: Int, disk: DiskYardstick?) throws(Failure) {
        let (clientEnd, serverEnd) = try Descriptor.pair()
        let (listenerEnd, tellerEnd) = try Descriptor.pair()
        request = clientEnd
        answer = listenerEnd
        self.requestBytes = [UInt8](repeating: 0x2e, count: requestBytes)
        answerBuffer = [UInt8](repeating: 0, count: answerBytes)
        Thread.detachNewThread {
            // Ends with the other ends of its sockets.
            try? Self.serve(serverEnd, tellerEnd, requestBytes: requestBytes, answerBytes: answerBytes, disk: disk)
        }
    }

    private static func serve(
        _ requests: Descriptor, _ answers: Descriptor, requestBytes: Int, answerBytes: Int, disk: DiskYardstick?
    ) throws(Failure) {
        var request = [UInt8](repeating: 0, count: requestBytes)
        let answer = [UInt8](repeating: 0x2e, count: answerBytes)
        var offset = 0
        while try requests.fills(&request) {
            if let disk { offset = try disk.write(request, at: offset) }
            try answers.writeAll(answer)
        }
    }

    /// How long one round takes, in seconds.
    func round() throws(Failure) -> Double {
        let start = seconds()
        try request.writeAll(requestBytes)
        guard try answer.fills(&answerBuffer) else { throw Failure("the yardstick's server is gone") }
        return seconds() - start
    }

    /// Rounds one behind the other.
    func rounds(for time: Double) throws(Failure) -> Samples {
        var samples = Samples()
        let end = seconds() + time
        while seconds() < end { samples.add(try round()) }
        return samples
    }
}

extension Descriptor {
    /// Reads until the buffer is full. Returns false where the other side hung up.
    fileprivate func fills(_ buffer: inout [UInt8]) throws(Failure) -> Bool {
        var failure: Failure?
        var isFull = true
        buffer.withUnsafeMutableBytes { bytes in
            var rest = bytes[...]
            do throws(Failure) {
                while !rest.isEmpty, isFull {
                    let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: rest), isWaiting: true) ?? 0
                    isFull = count > 0
                    rest = rest.dropFirst(count)
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return isFull
    }
}
