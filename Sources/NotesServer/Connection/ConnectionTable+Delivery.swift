import Dependents
import NIOCore
import NotesEngine
import NotesModel
import NotesWire

/// The output of the engine, on the way to the connections of one event loop.
extension ConnectionTable {
    /// Writes responses at once, unless they are long. These and notifications are queued and written in
    /// slices of time, so that neither many long responses nor a broadcast to thousands of connections
    /// delay requests.
    func deliver(_ outputs: some Sequence<ConnectionOutput>) {
        for output in outputs {
            guard let connection = dependents[output.dependent] else { continue }
            // Output for one connection keeps its order.
            if output.isNotificationsOnly || connection.outputsWaiting > 0 || output.isLong {
                connection.outputsWaiting += 1
                waiting.append(.output(output, connection))
            } else {
                connection.deliver(output)
            }
        }
        if !isSliceScheduled { deliverWaiting() }
    }

    /// Whether a connection that has written since `start` stops, so that the loop handles its sockets.
    /// Outside of the slices for queued output, it has one of its own.
    func isSliceOver(since start: NIODeadline) -> Bool {
        now() >= sliceEnd ?? start + Self.slice
    }

    /// Lets a connection write on in one of the next slices.
    func resumeLater(_ connection: ConnectionHandler) {
        waiting.append(.resumption(connection))
        if sliceEnd == nil { scheduleSlice() }
    }

    /// Queues the same lines for many connections, after what is already queued for each of them.
    func broadcast(_ changes: RenderedChanges, to recipients: [Broadcast.Recipient]) {
        let connections = recipients.map { dependents[$0.dependent] }
        for connection in connections { connection?.outputsWaiting += 1 }
        waiting.append(.broadcast(changes, recipients, connections, next: 0))
        waitingWeight += changes.weight * recipients.count
        if !isSliceScheduled { deliverWaiting() }
    }

    /// Delivers the first queued item, or the next part of it if it is a broadcast, and removes
    /// what is done.
    private func deliverFirst() {
        guard let first = waiting.first else { return }
        switch first {
        case .output(let output, let connection):
            waiting.removeFirst()
            connection.outputsWaiting -= 1
            connection.deliver(output)
        case .broadcast(let changes, let recipients, let connections, let next):
            let end = min(next + Self.stride, connections.count)
            if end < connections.count {
                waiting[waiting.startIndex] = .broadcast(changes, recipients, connections, next: end)
            } else {
                waiting.removeFirst()
            }
            write(changes, to: recipients, connections, next..<end)
            // After `lagging` of its recipients.
            guard end == connections.count else { break }
            let weight = changes.weight * recipients.count
            waitingWeight -= weight
            // Also submits the requests of floods that waited for it.
            gather(.broadcastWritten(weight: weight))
        case .resumption(let connection):
            waiting.removeFirst()
            connection.resume()
        }
    }

    /// Writes a broadcast to some of its recipients, straight to the sockets that accept it whole.
    private func write(
        _ changes: RenderedChanges, to recipients: [Broadcast.Recipient], _ connections: [ConnectionHandler?], _ range: Range<Int>
    ) {
        var start = range.lowerBound
        while start < range.upperBound {
            let encoding = connections[start]?.encoding ?? .utf8
            let encoded = encoder.encode(changes, encoding: encoding)
            start = withUnsafeTemporaryAllocation(byteCount: encoded.byteCountMax, alignment: 1) { lines in
                for index in start..<range.upperBound {
                    guard let connection = connections[index] else { continue }
                    guard connection.encoding == encoding else { return index }
                    connection.outputsWaiting -= 1
                    let recipient = recipients[index]
                    guard let socket = connection.directSocket else {
                        connection.queue(
                            WatchNotification(
                                watch: recipient.watch, number: recipient.seq, cursor: changes.cursor, event: .changes(changes)))
                        continue
                    }
                    let count = encoded.write(watch: recipient.watch.number, seq: recipient.seq, to: lines)
                    let written = UnsafeRawBufferPointer(rebasing: lines[..<count])
                    let sent = socket.write(written)
                    if sent < count { connection.wrotePart(of: written, sent: sent) }
                }
                return range.upperBound
            }
        }
    }

    /// Delivers queued items for at most one slice of time, then schedules the next slice. It does so too
    /// if long output was written and nothing is left: the engine's next output then waits until the loop has
    /// handled its sockets.
    private func deliverWaiting() {
        let end = now() + Self.slice
        sliceEnd = end
        var hasWrittenMuch = false
        while let first = waiting.first {
            if first.isLong { hasWrittenMuch = true }
            deliverFirst()
            if now() >= end { break }
        }
        sliceEnd = nil
        if waiting.isEmpty {
            encoder.deliveryEnded()
            guard hasWrittenMuch else { return }
        }
        if floods.isOver(now: eventLoop.now) { submitSoon() }
        scheduleSlice()
    }

    private func scheduleSlice() {
        guard !isSliceScheduled else { return }
        isSliceScheduled = true
        // A task without a delay would run before the loop polls its sockets.
        eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isSliceScheduled = false
            self.deliverWaiting()
        }
    }

    /// Delivers all queued items at once.
    func deliverAllWaiting() {
        while !waiting.isEmpty { deliverFirst() }
    }
}

extension ConnectionTable.QueuedOutput {
    /// Whether it may take as long as a slice.
    fileprivate var isLong: Bool {
        switch self {
        case .output(let output, _): output.isLong
        case .broadcast: false
        case .resumption: true
        }
    }
}

extension ConnectionOutput {
    /// Whether it contains only notifications, for which no client waits.
    fileprivate var isNotificationsOnly: Bool { responses.isEmpty && !isCutShort }

    /// Whether encoding its responses takes a good part of a slice.
    fileprivate var isLong: Bool {
        responses.reduce(0) { $0 + max(0, $1.response.weight - Self.shortWeight) } >= ServiceLimits.smallResponseBytesMax
    }

    /// Weight of a response that adds nothing to this, however many there are, in bytes.
    private static let shortWeight = 1 << 10
}
