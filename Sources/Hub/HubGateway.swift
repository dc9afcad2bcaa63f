package import Causality
package import NoteText
import NotesMethods
import NotesModel
package import NotesWire

/// A session of one client with one space of a hub: the part of the protocol that a replicator uses.
///
/// A pure state machine. The driver hands over each line of the client (`receive`), each answer of the
/// database (`take`) and the passing of time (`wake`, `look`), carries out the returned actions in their
/// order, and asks for further work while it is idle (`next`). At most one question is with the database:
///
///     var gateway = HubGateway(replica: …, user: …, version: …)
///     gateway.receive(.line(hello))     → [.ask(.open)]
///     gateway.take(.opened(space))      → [.send(…)]
package struct HubGateway {
    /// An action of the driver.
    package enum Action: Hashable, Sendable {
        /// Send a line.
        case send([UInt8])
        /// Ask the database, and hand over its answer before anything else.
        case ask(HubQuery)
        /// Report a sentence to the administrator.
        case report(String)
        /// End the program. The status is 0 or, if a new start corrects the failure, 75.
        case end(status: Int32)
    }

    /// The limits of one read of the log.
    package static let readRowsMax = 1_024
    package static let readBytesMax = 1 << 20
    /// The number of ranges at which the start of a feed is not looked for in the database.
    static let rangesMax = 10_000
    /// The number of rows that are reported as skipped.
    static let reportsMax = 16

    enum Waiting {
        case open(RequestID)
        case known(RequestID)
        case watch(RequestID, WatchRevisions)
        case first(RequestID, HubFeedStart)
        case append(RequestID, AdoptResult, [Dot])
        case file(RequestID, FileRequest)
        case rows
        /// The row of the client's last append.
        case anchor
    }

    /// A feed whose first row is looked for.
    struct HubFeedStart {
        let skipped: DotSet
        let newest: HubPlace
        let lacks: Int
    }

    private let replica: ReplicaID
    private let user: UserInfo
    private let version: ByteString
    private let reader = RequestReader()
    private(set) var space: HubSpace?
    private var feed: HubFeed?
    private var lastWatch: UInt64 = 0
    private var waiting: Waiting?
    /// The newest row that this client appended.
    private var appended: HubPlace?
    private var checksAppended = false
    private var reports = 0
    private var tooLong = 0

    /// - Parameters:
    ///   - replica: a random id: the gateway is the only one of its run.
    ///   - user: the user who runs the gateway.
    package init(replica: ReplicaID, user: UserInfo, version: ByteString) {
        self.replica = replica
        self.user = user
        self.version = version
    }

    /// The longest line that the client may send now, in bytes.
    package var lineBytesMax: Int { space == nil ? WireProtocol.helloLineBytesMax : WireLimits().lineBytesMax }

    /// The database may have new rows.
    package mutating func wake() { feed?.wake() }

    /// The time of a regular look at the log has come: it finds new rows of which no notice came, and
    /// whether the log is still the one that the session began with.
    package mutating func look() {
        feed?.wake()
        checksAppended = appended != nil
    }

    /// The next work for the database that no request asks for; nil if there is none.
    package mutating func next() -> HubQuery? {
        guard waiting == nil else { return nil }
        if let feed, feed.wantsRows {
            waiting = .rows
            return .read(after: feed.place.position, rowsMax: Self.readRowsMax, bytesMax: Self.readBytesMax)
        }
        if checksAppended, let appended {
            checksAppended = false
            waiting = .anchor
            return .read(after: appended.position, rowsMax: 0, bytesMax: 0)
        }
        return nil
    }

    /// Takes in a line of the client.
    ///
    /// - Precondition: no question is with the database.
    package mutating func receive(_ event: LineFramer.Event) -> [Action] {
        switch event {
        case .tooLong:
            tooLong += 1
            let line = WireError.lineTooLong(limit: lineBytesMax).line(id: nil)
            return [.send(line)] + (tooLong >= WireProtocol.tooLongLinesMax ? [.end(status: 0)] : [])
        case .line(let line):
            switch reader.read(line, isRegistered: space != nil) {
            case .request(let id, let call): return answer(call, id)
            case .refused(let id, let error): return [.send(error.line(id: id))]
            case .unanswered, .dropped: return []
            }
        }
    }

    private mutating func answer(_ call: Call, _ id: RequestID) -> [Action] {
        switch call {
        case .hello: return ask(.open, .open(id))
        case .ping: return [.send(EmptyResult().line(id: id))]
        case .knownRevisions: return ask(.known, .known(id))
        case .watchRevisions(let params):
            guard params.peer.replica != replica else {
                let fault = ParamFault(path: "params.peer.replica", reason: "is this gateway; send that of the other store")
                return [.send(WireError.invalidParams(fault).line(id: id))]
            }
            feed = nil
            return ask(.known, .watch(id, params))
        case .proceed(let params):
            guard feed?.watch == params.watch.number else { return [.send(Self.unknownWatch.line(id: id))] }
            feed?.proceed(through: params.seq)
            return [.send(EmptyResult().line(id: id))] + pages()
        case .unwatch(let watch):
            guard feed?.watch == watch.number else { return [.send(Self.unknownWatch.line(id: id))] }
            feed = nil
            return [.send(EmptyResult().line(id: id))]
        case .adopt(let params): return adopt(params, id)
        case .file(let request) where space?.hasFiles == true: return answer(request, id)
        default: return [.send(WireError.methodNotFound(ByteString(call.method.name)).line(id: id))]
        }
    }

    private static let unknownWatch = WireError.invalidParams(
        ParamFault(path: "params.watch", reason: "is not the watch of this connection"))

    mutating func ask(_ query: HubQuery, _ reason: Waiting) -> [Action] {
        waiting = reason
        return [.ask(query)]
    }

    private mutating func adopt(_ params: AdoptParams, _ id: RequestID) -> [Action] {
        guard space?.mayWrite == true else {
            return [.send(WireError.permissionDenied("the role may only read this space").line(id: id))]
        }
        var result = AdoptResult(AdoptionReport(), unreadable: [])
        var (dots, bodies): ([Dot], [[UInt8]]) = ([], [])
        var files: Set<FileContent> = []
        for beginning in params.beginnings {
            // The request was read, so the revision can be decoded.
            guard let dot = RevisionCodec.dot(ofHead: beginning.revision.head) else { continue }
            result.notBegun.append(
                .init(dot: dot, reason: "its past is gone, and a space of a database keeps only whole revisions"))
        }
        for (index, wire) in params.revisions.enumerated() {
            switch HubCheck.offered(wire) {
            case .body(let dot, let body, let named):
                files.formUnion(named)
                dots.append(dot)
                bodies.append(body)
            case .notAccepted(let dot, let reason): result.quarantined.append(.init(dot: dot, reason: ByteString("\(reason)")))
            case .unreadable: result.unreadable.append(index)
            }
        }
        return bodies.isEmpty
            ? [.send(result.line(id: id))]
            : ask(.append(bodies, files: files.sorted { ($0.hash, $0.bytes) < ($1.hash, $1.bytes) }), .append(id, result, dots))
    }
}

// MARK: - Answers of the database

extension HubGateway {
    /// Takes in the answer to the question that was asked last.
    package mutating func take(_ answer: HubAnswer) -> [Action] {
        guard let question = waiting else { return [] }
        waiting = nil
        switch (question, answer) {
        case (.open(let id), .opened(let space)):
            self.space = space
            return [.send(hello(space).line(id: id))]
        case (.open(let id), .refused(let reason)):
            // While a database is restored, its schema and its rights are missing for some time. So the client
            // shall try again, whatever the reason is.
            return [.send(WireError(.storageFailed, reason).line(id: id)), .end(status: 75)]
        case (.known(let id), .known(_, let dots)):
            let result = KnownRevisionsResult(
                known: dots, quarantined: DotSet(), waiting: 0, forms: [Int(RevisionCodec.form)], view: WireProtocol.view)
            return [.send(result.line(id: id))]
        case (.watch(let id, let params), .known(let newest, let dots)): return begin(params, newest, dots, id)
        case (.first(let id, let start), .first(let position)):
            return begin(start, HubPlace(position.map { $0 - 1 } ?? start.newest.position, nil), id)
        case (.append(let id, let result, let dots), .appended(let outcomes, let newest)):
            return answered(outcomes, dots, newest, result, id)
        // The session goes on: the client keeps the revisions, and offers them again after some time.
        case (.append(let id, _, _), .full(let sentence)): return [.send(WireError(.storageFull, sentence).line(id: id))]
        case (.file(let id, let request), .file(let answer)): return [.send(line(answer, to: request, id))]
        case (.rows, .rows(let anchor, let rows)): return took(anchor, rows)
        case (.anchor, .rows(let anchor, _)): return anchor == appended?.dot ? [] : changed(appended?.position ?? 0)
        default: return [.report("the database gave an answer to another question"), .end(status: 75)]
        }
    }

    private func hello(_ space: HubSpace) -> HelloResult {
        HelloResult(
            server: ClientInfo(name: "notesd-postgres", version: version), store: space.store, replica: replica,
            dependent: DependentID(1), user: user, access: space.mayWrite ? .sync : .read, positionEncoding: .utf8,
            limits: WireLimits(), capabilities: space.hasFiles ? ["replication", "files"] : ["replication"],
            cursor: Cursor(CommitPosition(sequence: 0, replica: space.store)))
    }

    private mutating func begin(
        _ params: WatchRevisions, _ newest: HubPlace, _ dots: DotSet, _ id: RequestID
    ) -> [Action] {
        let skipped = params.known.union(params.refuses)
        let missing = dots.subtracting(skipped)
        let start = HubFeedStart(skipped: skipped, newest: newest, lacks: missing.count)
        if missing.isEmpty { return begin(start, newest, id) }
        if missing == dots || missing.rangeCount > Self.rangesMax { return begin(start, .start, id) }
        return ask(.first(missing), .first(id, start))
    }

    private mutating func begin(_ start: HubFeedStart, _ place: HubPlace, _ id: RequestID) -> [Action] {
        lastWatch += 1
        let feed = HubFeed(lastWatch, after: place, skipped: start.skipped, newest: start.newest, lacks: start.lacks)
        self.feed = feed
        return [.send(WatchRevisionsResult(watch: lastWatch, lacks: feed.remaining).line(id: id))]
    }

    private mutating func answered(
        _ outcomes: [HubOutcome], _ dots: [Dot], _ newest: UInt64, _ before: AdoptResult, _ id: RequestID
    ) -> [Action] {
        guard outcomes.count == dots.count else {
            return [.report("the database answered an append with another number of outcomes"), .end(status: 75)]
        }
        var result = before
        var (held, last): ([Dot], Dot?) = ([], nil)
        for (dot, outcome) in zip(dots, outcomes) {
            switch outcome {
            case .committed:
                result.committed += 1
                last = dot
                held.append(dot)
            case .known:
                result.known += 1
                held.append(dot)
            case .taken: result.quarantined.append(.init(dot: dot, reason: ByteString("\(QuarantineReason.dotIsTaken)")))
            case .unreadable: result.refused.append(dot)
            }
        }
        let place = last.map { HubPlace(newest, $0) }
        if let place { appended = place }
        feed?.receive(held, committed: result.committed, newest: place)
        return [.send(result.line(id: id))]
    }

    private mutating func took(_ anchor: Dot?, _ rows: [HubRow]) -> [Action] {
        guard var feed else { return [] }
        do throws(HubFeed.Fault) {
            let faults = try feed.take(anchor: anchor, rows)
            self.feed = feed
            var actions: [Action] = []
            for fault in faults { actions += named(fault.place, fault.reason) }
            return actions + pages()
        } catch {
            switch error {
            case .logChanged(let position): return changed(position)
            case .disorder(let position): return changed(position + 1)
            }
        }
    }

    private func changed(_ position: UInt64) -> [Action] {
        [
            .report(
                "row \(position) of the space is not the one that was there before; the database was restored or failed over"),
            .end(status: 75),
        ]
    }

    private mutating func named(_ place: HubPlace, _ reason: String) -> [Action] {
        guard reports <= Self.reportsMax else { return [] }
        reports += 1
        let dot = place.dot.map { ", \($0)," } ?? ""
        return [
            .report(
                reports > Self.reportsMax
                    ? "more rows were left out, and are not listed" : "row \(place.position)\(dot) was left out: \(reason)")
        ]
    }

    /// The pages that may be sent now.
    private mutating func pages() -> [Action] {
        var actions: [Action] = []
        while let page = feed?.nextPage() { actions.append(.send(page.line())) }
        return actions
    }
}
