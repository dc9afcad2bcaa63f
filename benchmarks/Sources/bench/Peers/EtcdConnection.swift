/// A connection to etcd that puts one value at a time, over gRPC.
final class EtcdConnection {
    let descriptor: Descriptor
    private var bytes: [UInt8] = []
    /// The HTTP/2 stream of the last put; a client's streams have odd numbers.
    private var stream: UInt32 = 0
    private var hasResult = false

    init(_ descriptor: Descriptor) throws(Failure) {
        self.descriptor = descriptor
        try descriptor.writeAll(EtcdWire.opening)
    }

    /// Sends a put. The last one was answered, so the server's window has room: it grants more with
    /// every quarter of 64 kB that it reads.
    func put(_ key: [UInt8], _ value: [UInt8]) throws(Failure) {
        stream = stream == 0 ? 1 : stream + 2
        hasResult = false
        try descriptor.writeAll(EtcdWire.put(key, value, stream: stream))
    }

    /// Reads what has arrived. Returns whether the response to the put is complete.
    func takeAnswer() throws(Failure) -> Bool {
        try fill()
        var (offset, isAnswered) = (0, false)
        while let frame = EtcdWire.Frame(bytes[offset...]) {
            offset += frame.length
            if try take(frame) { isAnswered = true }
        }
        bytes.removeFirst(offset)
        return isAnswered
    }

    private func take(_ frame: EtcdWire.Frame) throws(Failure) -> Bool {
        switch frame.kind {
        case .data:
            if frame.stream == stream, !frame.payload.isEmpty { hasResult = true }
        case .headers:
            guard frame.stream == stream, frame.endsStream else { return false }
            // A refusal is headers alone.
            guard hasResult else { throw Failure("etcd refused a put") }
            return true
        case .settings, .ping:
            if let answer = frame.acknowledgement { try descriptor.writeAll(answer) }
        case .reset: throw Failure("etcd cancelled a put")
        case .goAway: throw Failure("etcd ended the connection")
        case .windowUpdate, nil: break
        }
        return false
    }

    private func fill() throws(Failure) {
        var failure: Failure?
        var isClosed = false
        let more = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, filled in
            do throws(Failure) {
                let count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer), isWaiting: false)
                isClosed = count == 0
                filled = count ?? 0
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        if isClosed { throw Failure("etcd closed the connection") }
        bytes += more
    }
}
