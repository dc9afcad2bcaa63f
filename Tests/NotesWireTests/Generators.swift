import Causality
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import TextMerge

/// Random calls and results that cover every member of the protocol's types.
extension SeededGenerator {
    mutating func label() -> ByteString { ByteString(validUTF8: text(lengthMax: 5)) }

    mutating func maybe<Value>(_ value: Value) -> Value? { chance(0.5) ? value : nil }

    mutating func anyDot() -> Dot { Dot(ReplicaID(bits: next()), 1 + UInt64(below(1_000_000))) }

    mutating func anyVersion() -> Version { Version((0..<below(4)).map { _ in anyDot() }) }

    mutating func anyCursor() -> Cursor {
        let commit = CommitPosition(sequence: UInt64(below(.max - 100)), replica: ReplicaID(bits: next()))
        guard chance(0.5) else { return Cursor(commit) }
        let newest = commit.sequence + 1 + UInt64(below(100))
        return Cursor(commit, newest: CommitPosition(sequence: newest, replica: ReplicaID(bits: next())))
    }

    mutating func anyNoteID() -> NoteID {
        NoteID(at: Timestamp(milliseconds: Int64(below(1 << 48))), random: (next(), next()))
    }

    mutating func anyName() -> NoteName { name(pick(["a", "work/inbox", "ä/😀", "e\u{301}", "with \"quotes\" and \\"])) }

    mutating func anyTime() -> Timestamp { Timestamp(milliseconds: Int64(below(4_000_000_000_000)) - 1_000_000_000_000) }

    mutating func anyFileTimes() -> FileTimes { FileTimes(modified: anyTime(), created: maybe(anyTime())) }

    /// The times that a write of an existing note can state.
    mutating func changeTime() -> FileTimes? { maybe(FileTimes(modified: anyTime())) }

    mutating func anyEdits() -> [PositionedEdit] {
        (0..<below(4)).map { _ in PositionedEdit(start: below(100) - 1, end: below(100), text: text(lengthMax: 6)) }
    }

    mutating func anyFilter() -> Filter {
        let ids: Set<NoteID>? = maybe(Set((0..<below(3)).map { _ in anyNoteID() }))
        let (prefix, tag) = (maybe(label()), maybe(label()))
        return Filter(
            ids: ids, prefix: prefix, tag: tag, conflicted: maybe(chance(0.5)), deleted: chance(0.3),
            kind: pick([.text, .file, nil]))
    }

    mutating func conflicts() -> [ConflictID] {
        (0..<below(3)).map { _ in ConflictID(high: next(), low: next()) }
    }

    mutating func operation() -> ByteString? { maybe(ByteString(String(next(), radix: 36))) }

    mutating func call() -> Call { call(pick(Method.allCases)) }

    mutating func call(_ method: Method) -> Call {
        if let plain = method.plainCall { return plain }
        switch method {
        case .hello: return .hello(hello())
        case .limit: return .limit(sessionLimits())
        case .getNote:
            let subject: GetNote.Key = chance(0.5) ? .id(anyNoteID()) : .name(label())
            return .get(GetNote(subject, at: maybe(anyVersion()), from: maybe(anyVersion())))
        case .listNotes:
            return .list(ListNotes(filter: anyFilter(), limit: 1 + below(1_000), place: anyListPlace(mayBeStart: true)))
        case .listTags:
            return .listTags(ListTags(prefix: label(), limit: 1 + below(1_000), after: maybe(label())))
        case .listRevisions:
            let filter = RevisionFilter(author: maybe(label()), since: maybe(anyTime()))
            return .listRevisions(
                ListRevisions(filter: filter, limit: 1 + below(1_000), before: maybe(1 + next() % UInt64.max)))
        case .knownRevisions: return .knownRevisions(digests: chance(0.5) ? anyDots() : DotSet())
        case .completeRevisions: return .completeRevisions(anyDots())
        case .watchRevisions: return .watchRevisions(watchRevisions())
        case .proceed:
            return .proceed(
                ProceedParams(watch: WatchID(integer()), seq: integer(), lacking: (0..<below(3)).map { _ in anyDot() }))
        case .adopt: return .adopt(AdoptParams(revisions: (0..<below(3)).map { _ in anyWireRevision() }))
        case .forgetPeer: return .forgetPeer(ReplicaID(bits: next()))
        case .listHeld: return .listHeld(ListHeld(dot: maybe(anyDot()), limit: 1 + below(1_000), after: maybe(anyHeldPlace())))
        case .dropHeld: return .dropHeld((0...below(3)).map { _ in anyDot() })
        case .beginFile, .putFile, .getFile, .checkFile, .haveFiles, .listFiles: return .file(fileRequest(method))
        case .incomingLinks, .missingLinks, .resolveLinks: return .links(linkQuery(method))
        case .search:
            let place = maybe(anySearchPosition())
            return .search(SearchNotes(query: anyQuery(), kind: anyKind(), limit: 1 + below(100), after: place))
        case .history: return .history(ReadHistory(id: anyNoteID(), limit: 1 + below(1_000), before: maybe(anyDot())))
        case .watch:
            return .watch(
                WatchNotes(
                    filter: anyFilter(), include: pick(WatchDetail.allCases), since: maybe(anyCursor()),
                    snapshot: chance(0.5), echo: chance(0.5)))
        case .unwatch: return .unwatch(WatchID(1 + UInt64(below(1 << 53))))
        case .setPresence: return .setPresence(presence())
        case .audit: return .auditing(files: chance(0.5))
        case .backup: return .backup(to: maybe(pick(["/mnt/notes.db", "notes.db", "/"])))
        default: return .write(command(method))
        }
    }

    private mutating func command(_ method: Method) -> Command {
        switch method {
        case .createNote:
            let file = chance(0.3) ? fileContent() : nil
            return .createNote(
                CreateNote(
                    text: file == nil ? text(lengthMax: 30) : [], file: file, name: maybe(label()), id: maybe(anyNoteID()),
                    op: operation(),
                    times: maybe(anyFileTimes())))
        case .saveNote: return .saveNote(save())
        case .editNote:
            return .editNote(
                EditNote(id: anyNoteID(), base: maybe(anyVersion()), edits: anyEdits(), resolves: conflicts(), op: operation()))
        case .deleteNote: return .deleteNote(DeleteNote(id: anyNoteID(), base: maybe(anyVersion()), op: operation()))
        case .purgeNote: return .purgeNote(PurgeNote(id: anyNoteID(), base: maybe(anyVersion()), op: operation()))
        case .undoNote:
            let isByDot = chance(0.5)
            return .undoNote(
                UndoNote(
                    id: anyNoteID(), base: maybe(anyVersion()),
                    revisions: isByDot ? (0...below(3)).map { _ in anyDot() } : [],
                    ops: isByDot ? [] : (0...below(3)).map { _ in ByteString(String(next(), radix: 36)) },
                    op: operation(), times: changeTime(), isPreview: chance(0.2)))
        default: preconditionFailure("\(method) has no generator of its params")
        }
    }

    mutating func anyDots() -> DotSet {
        DotSet((0..<below(6)).map { _ in Dot(ReplicaID(bits: UInt64(below(2))), 1 + UInt64(below(9))) })
    }

    mutating func resolveLinks() -> ResolveLinks {
        ResolveLinks(
            targets: (0...below(3)).map { _ in LinkTarget(kind: pick(Link.Kind.allCases), decoded: label()) },
            from: maybe(anyNoteID()), kind: anyKind())
    }

    private mutating func integer() -> UInt64 { UInt64(below(1 << 53)) }
    private mutating func watchRevisions() -> WatchRevisions {
        WatchRevisions(
            peer: RevisionPeer(store: ReplicaID(bits: next()), replica: ReplicaID(bits: next())), known: anyDots(),
            refuses: anyDots())
    }

    mutating func anyWireRevision() -> WireRevision {
        WireRevision(head: (0..<below(9)).map { _ in UInt8(below(256)) }, text: text(lengthMax: 9))
    }

    private mutating func presence() -> SetPresence {
        guard chance(0.8) else { return SetPresence(nil) }
        let version = maybe(anyVersion())
        let selection: Selection? = version == nil ? nil : maybe(selection())
        return SetPresence(SetPresence.Position(note: anyNoteID(), version: version, selection: selection))
    }

    mutating func selection() -> Selection {
        let start = below(99)
        return Selection(start: start, end: start + below(9))
    }

    mutating func place() -> PositionObject { PositionObject(version: anyVersion(), selection: maybe(selection())) }

    mutating func presenceChanged() -> PresenceChanged {
        PresenceChanged(
            note: anyNoteID(), dependent: DependentID(UInt64(below(99))), label: maybe(label()), user: user(),
            place: maybe(place()))
    }

    private mutating func save() -> SaveNote {
        let name: NameRequest = pick([.leave, .clear, .set(label())])
        let file = chance(0.3) ? fileContent() : nil
        return SaveNote(
            id: anyNoteID(), base: maybe(anyVersion()), text: file == nil ? maybe(text(lengthMax: 30)) : nil, file: file,
            name: name, resolves: conflicts(),
            op: operation(), times: changeTime())
    }

    mutating func anyQuery() -> SearchQuery {
        let texts: [ByteString] = ["milk", "milk OR (\"oat drink\" -tag:shop)", "name:work/* 日本 é", "a NOT b AND c"]
        // All of them parse.
        return texts.compactMap { try? SearchQuery(parsing: $0) }[below(texts.count)]
    }

    mutating func anySearchPosition() -> SearchPosition {
        let scale = maybe(SearchScale(notes: next() >> 11, bytes: next() >> 12, counts: (0..<below(4)).map { _ in next() >> 40 }))
        return SearchPosition(scoreBits: Double(below(1_000)).bitPattern / 2, number: next(), scale: scale)
    }

    mutating func search() -> SearchResult {
        let hits = (0..<below(3)).map { _ in
            let start = below(9)
            return SearchResult.Hit(note: note(), snippet: text(lengthMax: 20), ranges: [start..<start + 1 + below(9)])
        }
        return SearchResult(hits: hits, next: maybe(anySearchPosition()), isTruncated: chance(0.5))
    }

    mutating func anyListPlace(mayBeStart: Bool) -> ListPlace {
        if mayBeStart, chance(0.3) { return ListPlace(startOf: pick(ListPlace.Order.allCases)) }
        return chance(0.5) ? .byName(after: anyPosition()) : .newest(before: 1 + next() / 2)
    }

    mutating func anyPosition() -> ListPosition { ListPosition(name: maybe(anyName()), id: anyNoteID()) }
}

extension SeededGenerator {
    mutating func author() -> Author { Author(user: label(), label: maybe(label())) }

    mutating func head(withVector: Bool) -> Head {
        var vector = VersionVector()
        if withVector { for _ in 0..<below(3) { vector.record(anyDot()) } }
        return Head(
            id: anyNoteID(), name: maybe(anyName()), version: anyVersion(), vector: vector,
            title: chance(0.2) ? ByteString(validUTF8: fileContent().line) : label(),
            tags: (0..<below(3)).map { _ in label() }, created: anyTime(), modified: anyTime(), author: author(),
            bytes: below(1 << 30),
            isDeleted: chance(0.2))
    }

    mutating func note() -> NoteObject {
        let body: NoteObject.Body = pick([
            .meta, .text(text(lengthMax: 20)), .edits(base: nil, anyEdits()), .edits(base: anyVersion(), anyEdits()),
        ])
        let siblings = maybe(anyVersion())
        return NoteObject(head(withVector: siblings != nil), body: body, siblings: siblings, conflicts: openConflicts())
    }

    mutating func openConflicts() -> [ConflictObject] {
        (0..<(chance(0.6) ? 0 : below(3))).map { _ in
            let (kind, start) = (pick(ConflictKind.allCases), below(50))
            let detail = ConflictObject.Detail(base: base(of: kind), sides: (0..<2 + below(2)).map { _ in side(of: kind) })
            return ConflictObject(
                id: ConflictID(high: next(), low: next()), kind: kind, range: start..<start + below(50), detail: maybe(detail))
        }
    }

    private mutating func base(of kind: ConflictKind) -> ConflictContent? {
        switch kind {
        case .text: .text(text(lengthMax: 9))
        case .name: .name(maybe(anyName()))
        case .deletion: nil
        }
    }

    private mutating func side(of kind: ConflictKind) -> ConflictSide {
        let content: ConflictContent
        switch kind {
        case .text: content = .text(text(lengthMax: 9))
        case .name: content = .name(maybe(anyName()))
        case .deletion: content = chance(0.5) ? .deleted : .text(text(lengthMax: 9))
        }
        return ConflictSide(dot: anyDot(), author: author(), modified: anyTime(), content: content)
    }

    mutating func audit() -> AuditResult {
        let findings = (0..<below(3)).map { _ in
            AuditFinding(
                note: maybe(anyNoteID()), dot: maybe(anyDot()), what: string(text(lengthMax: 9)),
                affects: pick([.texts, .derived, .files]))
        }
        let waiting = (0..<below(3)).map { _ in
            AuditWaiting(note: anyNoteID(), revisions: below(99), parents: (0..<below(3)).map { _ in anyDot() })
        }
        return AuditResult(
            AuditReport(
                notes: below(99), revisions: below(99), findings: findings, waiting: waiting,
                quarantined: (0..<below(3)).map { _ in heldRevision() }, compacted: below(9)))
    }

    mutating func anyHeldPlace() -> HeldPlace { HeldPlace(chance(0.5) ? .waiting : .quarantine, after: 1 + next() % UInt64.max) }

    mutating func heldPage() -> HeldResult {
        HeldResult(
            HeldPage(
                revisions: (0..<below(3)).map { _ in heldRevision() }, next: maybe(anyHeldPlace()), quarantined: below(9),
                waiting: below(9)))
    }

    mutating func hello() -> HelloParams {
        let client = ClientInfo(name: label(), version: maybe(label()))
        let encodings = (0..<below(4)).map { _ in pick(PositionEncoding.allCases) }
        return HelloParams(
            protocols: [1, Int64(below(9))], client: client, label: maybe(label()), positionEncodings: encodings)
    }

    mutating func heldRevision() -> HeldRevision {
        HeldRevision(
            note: anyNoteID(), dot: anyDot(), reason: maybe(string(text(lengthMax: 9))), author: author(), time: anyTime(),
            inserts: label(), bytes: below(99))
    }

    mutating func backup() -> BackupResult {
        BackupResult(path: label(), bytes: below(1 << 40), files: below(9), missingFiles: below(9))
    }

    mutating func config() -> ConfigResult {
        ConfigResult(
            settings: (0..<below(3)).map { _ in
                SettingObject(
                    key: label(), value: maybe(label()), source: label(), isReloadable: chance(0.5), pending: maybe(label()))
            })
    }

    mutating func metrics() -> MetricsResult { MetricsResult(text: label()) }

    mutating func progress() -> RequestProgress {
        let id: RequestID = chance(0.5) ? .integer(Int64(below(99)) - 9) : .string(label())
        return RequestProgress(id: id, done: below(99), total: below(99))
    }

    mutating func client() -> ClientInfo { ClientInfo(name: label(), version: maybe(label())) }

    mutating func user() -> UserInfo {
        UserInfo(uid: UInt32(truncatingIfNeeded: next()), name: label(), person: maybe(person()))
    }

    mutating func hello() -> HelloResult {
        HelloResult(
            server: client(), store: ReplicaID(bits: next()), replica: ReplicaID(bits: next()),
            dependent: DependentID(UInt64(below(1_000))), user: user(), access: pick(Access.allCases),
            positionEncoding: pick(PositionEncoding.allCases), limits: WireLimits(),
            capabilities: (0..<below(3)).map { _ in label() },
            cursor: anyCursor())
    }

    mutating func outcome() -> OutcomeResult {
        let shown = OutcomeResult.Merged(
            version: anyVersion(), edits: maybe(anyEdits()), text: maybe(text(lengthMax: 9)), conflicts: openConflicts(),
            isDeleted: chance(0.2))
        return OutcomeResult(
            outcome: pick(Outcome.Kind.allCases), dot: maybe(anyDot()), version: anyVersion(), note: maybe(shown),
            isReplayed: chance(0.3))
    }

    mutating func history() -> HistoryResult {
        HistoryResult(revisions: (0..<below(4)).map { _ in revision() }, next: maybe(anyDot()))
    }

    mutating func knownRevisions() -> KnownRevisionsResult {
        KnownRevisionsResult(known: anyDots(), quarantined: anyDots(), waiting: below(9), forms: [2], view: 1 + below(3))
    }

    mutating func adopted() -> AdoptResult {
        var report = AdoptionReport()
        (report.known, report.waiting) = (below(9), (0..<below(3)).map { _ in anyDot() })
        report.committed = (0..<below(3)).map { _ in anyDot() }
        report.refused = (0..<below(3)).map { _ in AdoptionReport.Refused(dot: anyDot(), area: .waiting) }
        return AdoptResult(report, unreadable: (0..<below(3)).map { _ in below(256) })
    }

    mutating func peers() -> PeersResult {
        PeersResult(
            peers: (0..<below(3)).map { _ in .init(store: ReplicaID(bits: next()), isConnected: chance(0.5), lacks: below(9)) })
    }

    mutating func revisionsPage() -> RevisionsPage {
        RevisionsPage(
            watch: 1, seq: 1 + UInt64(below(9)), left: below(9), revisions: (0..<below(3)).map { _ in anyWireRevision() },
            gone: (0..<below(3)).map { _ in anyDot() })
    }

    mutating func revisions() -> RevisionsResult {
        let entries = (0..<below(4)).map { _ in NoteRevision(note: anyNoteID(), revision: revision()) }
        return RevisionsResult(NoteRevisionPage(entries: entries, next: maybe(1 + next() % UInt64.max)))
    }

    private mutating func revision() -> RevisionSummary {
        RevisionSummary(
            dot: anyDot(), parents: anyVersion(), author: author(), time: anyTime(), bytes: below(99), isDeleted: chance(0.2),
            name: maybe(anyName()), isStated: chance(0.5), isCompacted: chance(0.3),
            resolves: chance(0.3) ? [ConflictID(high: next(), low: next())] : [], times: maybe(anyFileTimes()))
    }

    mutating func dependents() -> DependentsResult {
        DependentsResult(
            dependents: (0..<below(4)).map { _ in
                DependentObject(
                    dependent: DependentID(UInt64(below(99))), client: client(), label: maybe(label()), user: user(),
                    watches: below(9),
                    state: pick(DependentObject.DependentState.allCases), outboxBytes: below(1 << 20),
                    presence: maybe(DependentObject.Presence(note: anyNoteID(), place: place())))
            })
    }

    mutating func status() -> StatusResult {
        let store = StoreStatistics(
            notes: below(99), tombstones: below(99), revisions: below(99), commits: UInt64(below(99)),
            lastCommit: maybe(anyTime()),
            storeBytes: below(1 << 40), walBytes: below(99), conflicted: below(3))
        return StatusResult(
            version: label(), identity: StoreIdentity(store: ReplicaID(bits: next()), replica: ReplicaID(bits: next())),
            startedAt: anyTime(), store: store, dependents: below(9),
            files: below(2) == 0 ? nil : FileTotals(count: below(99), bytes: below(1 << 40)),
            state: pick(StatusResult.StoreState.allCases))
    }
}
