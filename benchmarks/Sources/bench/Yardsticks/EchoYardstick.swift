import Foundation

/// The minimal server: it reads a request of a fixed length from a socket, makes it durable if
/// asked to, and writes a response of a fixed length to another socket.
final class EchoYardstick {
    private let request: Descriptor
    private let answer: Descriptor
    private let requestBytes: [UInt8]
    private var answerBuffer: [UInt8]

    /// - Parameter disk: Where to make each request durable before its response; nil for no disk.
    init(requestBytes: Int, answerBytes: Int, disk: DiskYardstick?) throws(Failure) {
        let (clientEnd, serverEnd) = try Descriptor.pair()
        let (listenerEnd, tellerEnd) = try Descriptor.pair()
        request = clientEnd
        answer = listenerEnd
        self.requestBytes = [UInt8](repeating: 0x2e, count: requestBytes)
        answerBuffer = [UInt8](repeating: 0, count: answerBytes)
        Thread.detachNewThread {
            // The thread ends when the client's sockets are closed.
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
            if let disk { _ = try disk.write(request, at: &offset) }
            try answers.writeAll(answer)
        }
    }

    /// Seconds of one round trip.
    func round() throws(Failure) -> Double {
        let start = seconds()
        try request.writeAll(requestBytes)
        guard try answer.fills(&answerBuffer) else { throw Failure("the yardstick's server has ended") }
        return seconds() - start
    }

    /// Times of round trips, one after another.
    func rounds(for time: Double) throws(Failure) -> Samples {
        var samples = Samples()
        let end = seconds() + time
        while seconds() < end { samples.add(try round()) }
        return samples
    }
}

extension Descriptor {
    /// Reads until the buffer is full. Returns false if the other side closed the connection.
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
