import NIOCore
import NotesMethods
import NotesWire

/// The check that a daemon still answers, if the options have limits for its silence.
extension ClientSession {
    /// Begins to count the silence of the connection.
    func watchSilence() {
        guard let limits = options.silence else { return }
        silence = SilenceMonitor(limits: limits)
        let tick = TimeAmount.nanoseconds(limits.tick.nanosecondsClamped)
        silenceTimer = eventLoop.scheduleRepeatedTask(initialDelay: tick, delay: tick) { [self] _ in
            assumeIsolated { $0.silenceTicked() }
        }
    }

    func endSilenceWatch() {
        silenceTimer?.cancel()
        silenceTimer = nil
        silence = nil
    }

    private func silenceTicked() {
        switch silence?.tick(awaited) {
        case .ping: ping()
        case .giveUp: ended(.silent(path: options.socketPath), currentConnection)
        case .nothing?, nil: break
        }
    }

    private var awaited: SilenceMonitor.Awaited {
        guard let oldest = pipeline.oldestInFlight else { return .nothing }
        if case .probe = addressees[oldest] { return .ping }
        return .work
    }

    private func ping() {
        let id = nextRequest()
        addressees[id] = .probe
        pipeline.submit(ClientRequest(id: id, line: Call.ping.line(id: .integer(id)), isWrite: false, mayBeRepeated: false))
        sendWaiting()
    }

    /// Sends a line in pieces, each of which ends the silence when the daemon has taken it.
    func writeCounted(_ line: [UInt8], to channel: any Channel) {
        var rest = channel.allocator.buffer(bytes: line)
        while let piece = rest.readSlice(length: min(rest.readableBytes, Self.pieceBytes)), piece.readableBytes > 0 {
            channel.write(piece).whenSuccess { [self] in
                assumeIsolated { $0.silence?.moved() }
            }
        }
    }

    private static let pieceBytes = 64 << 10
}
