/// The state of a replicator, as people read it.
package struct ReplicationState: Hashable, Sendable {
    /// The phase of a replicator.
    package enum Phase: Hashable, Sendable {
        /// It connects to both daemons; again if the last connection ended for a reason.
        case connecting(after: String?)
        /// It carries what one store has and the other lacks.
        case catchingUp
        /// Each store holds what the other has.
        case upToDate
        /// It tries again later.
        case waiting(reason: String)
        /// It ended, and a person has to act.
        case stopped(reason: String)
    }

    /// The counts of one direction.
    package struct Counts: Hashable, Sendable {
        /// The number of revisions that the receiver lacked and that follow; nil before the start.
        package var remaining: Int?
        /// The number of revisions that the receiver committed.
        package var committed = 0
        /// The number of revisions that cannot be sent any more.
        package var gone = 0
        /// The number of revisions that the receiver did not make part of its notes.
        package var lacking = 0
        /// The number of revisions that the receiver did not accept in earlier exchanges.
        package var refused = 0
        /// The number of files whose bytes the receiver lacks.
        package var files = 0
    }

    /// The phase.
    package private(set) var phase = Phase.connecting(after: nil)
    /// Revisions that come here.
    package private(set) var pull = Counts()
    /// Revisions that go to the peer.
    package private(set) var push = Counts()
    /// The number of revisions of peers that this store has not accepted, from before this connection too.
    package private(set) var quarantined = 0
    /// The number of revisions that both stores hold under one dot, and that are not the same.
    package private(set) var differing = 0
    private let directions: Int

    /// - Parameter directions: the number of directions in which revisions are carried, 1 or 2.
    package init(directions: Int = 2) {
        self.directions = directions
    }

    /// A new attempt to connect begins.
    package mutating func connect() {
        let last = phase
        self = ReplicationState(directions: directions)
        if case .waiting(let reason) = last { phase = .connecting(after: reason) }
    }

    /// Takes in how many revisions this store has not accepted.
    package mutating func count(quarantined: Int) { self.quarantined = quarantined }

    /// The connections ended, and another attempt follows.
    package mutating func wait(_ reason: String) { phase = .waiting(reason: reason) }

    /// The replicator ends for good.
    package mutating func stop(_ reason: String) { phase = .stopped(reason: reason) }

    /// Takes in an event of a direction.
    package mutating func take(_ event: FlowEvent, isPull: Bool) {
        var counts = isPull ? pull : push
        switch event {
        case .began(let lacks): counts.remaining = lacks
        case .carried(let committed, let remaining, let gone, let lacking):
            counts.remaining = remaining
            counts.committed += committed
            counts.gone += gone
            counts.lacking += lacking
        case .notAccepted, .file: break
        case .files(let lacking): counts.files = lacking
        case .refused(let count): counts.refused = count
        case .differs:
            differing += 1
            return
        case .waits(let reason):
            phase = .waiting(reason: reason)
            return
        }
        if isPull { pull = counts } else { push = counts }
        let started = [pull, push].compactMap(\.remaining)
        phase = started.count == directions && started.allSatisfy { $0 == 0 } ? .upToDate : .catchingUp
    }
}

extension ReplicationState: CustomStringConvertible {
    /// The state as a phrase, such as `receiving: 1,204 revisions remaining`.
    package var description: String {
        switch phase {
        case .connecting(nil): "connecting"
        case .connecting(let reason?): "connecting again: \(reason)"
        case .upToDate: "up to date" + faults
        case .waiting(let reason): "waiting: \(reason)"
        case .stopped(let reason): "stopped: \(reason)"
        case .catchingUp: "catching up: \(pull.remaining ?? 0) revisions to receive, \(push.remaining ?? 0) to send" + faults
        }
    }

    private func files(_ count: Int, _ place: String) -> String {
        count > 0 ? "; the bytes of \(count) file\(count == 1 ? "" : "s") missing \(place)" : ""
    }

    private var faults: String {
        let (gone, lacking) = (pull.gone + push.gone, pull.lacking + push.lacking)
        return files(pull.files, "here") + files(push.files, "there")
            + (gone > 0 ? "; \(gone) revisions cannot be sent, since their texts are gone or damaged" : "")
            + (lacking > 0 ? "; \(lacking) revisions wait or were not accepted" : "")
            + (differing > 0 ? "; \(differing) revision\(differing == 1 ? "" : "s") not the same in both stores" : "")
            + (push.refused > 0
                ? "; the peer has not accepted \(push.refused) revision\(push.refused == 1 ? "" : "s") of this store" : "")
            + (lacking == 0 && quarantined > 0
                ? "; this store has not accepted \(quarantined) revision\(quarantined == 1 ? "" : "s")" : "")
    }
}
