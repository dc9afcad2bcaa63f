import Causality
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import TestKit

/// The laws that hold at any time.
extension World {
    /// Compares a note with what was acknowledged of the revisions that the store holds.
    mutating func check(_ index: Int, _ id: NoteID) async throws {
        let held = try await checkHeld(index)
        guard let note = try await stores[index].note(id) else {
            guard !held.contains(where: { judge.note(of: $0) == id }) else {
                throw Failure("store \(index) holds revisions of \(id), and shows none")
            }
            return
        }
        if let fault = judge.fault(in: note.text, isDeleted: note.head.isDeleted, of: id, holding: held) {
            throw Failure("store \(index): \(id) \(fault)")
        }
    }

    /// Checks that the store has lost no revision: each one is still committed or in the holding area.
    ///
    /// - Returns: the committed revisions.
    @discardableResult
    mutating func checkHeld(_ index: Int) async throws -> Set<Dot> {
        let held = try await stores[index].holdings()
        let all = held.committed.union(held.quarantined).union(held.waiting)
        let lost = judge.held[index].subtracting(all)
        guard lost.isEmpty else { throw Failure("store \(index) has lost \(lost.sorted())") }
        judge.restore(index, holding: all)
        return held.committed
    }

    /// Checks that the text of an old version is still the one that its writer sent.
    mutating func readPast(of id: NoteID, in index: Int, _ random: inout SeededGenerator) async throws {
        let own = stated.keys.filter { stated[$0]?.note == id }.sorted()
        guard let dot = own.randomElement(using: &random) else { return }
        switch try await stores[index].ask(.get(GetNote(.id(id), at: Version(dot)))) {
        case .note(let note)?:
            guard note.text == stated[dot]?.text else {
                throw Failure(
                    "\(dot) reads \(String(decoding: note.text, as: UTF8.self).debugDescription) in store \(index), and was "
                        + String(decoding: stated[dot]?.text ?? [], as: UTF8.self).debugDescription)
            }
        case .refused(.revisionGone)? where isAnyTextGone: break
        case .refused(.unknownBase)?, .refused(.noteNotFound)?:
            guard try await !stores[index].holdings().committed.contains(dot) else {
                throw Failure("store \(index) holds \(dot), and does not know it")
            }
        case let response: throw Failure("\(dot) cannot be read in store \(index): \(String(describing: response))")
        }
    }

    mutating func audit(_ index: Int) async throws {
        let response = try await stores[index].ask(.audit)
        guard case .audited(let report)? = response else {
            throw Failure("store \(index) cannot be audited: \(String(describing: response))")
        }
        // An index on a failing disk cannot be compared with the notes.
        let findings = report.findings.filter {
            $0.affects != .files && (!stores[index].disk.hasFailed || !$0.what.contains("search index"))
        }
        guard findings.isEmpty else { throw Failure("store \(index) has faults: \(findings)") }
        let lost = report.findings.filter { $0.affects == .files }.map(\.what)
        let present = files.stores[index].isFaulty || stores[index].isFolderFailing ? [] : files.stores[index].present
        if let hash = present.first(where: { hash in lost.contains { $0.contains("\(hash)") } }) {
            throw Failure("an audit of store \(index) misses \(hash), which is there")
        }
    }

    /// Checks that a search for a token finds exactly the notes whose text contains it.
    mutating func search(_ index: Int, _ random: inout SeededGenerator) async throws {
        let id = random.pick(notes)
        guard let token = (written[id] ?? []).sorted().randomElement(using: &random) else { return }
        var showing: Set<NoteID> = []
        for head in try await stores[index].list() {
            guard let note = try await stores[index].note(head.id) else { continue }
            if SimText.numbers(in: note.text).contains(token) { showing.insert(head.id) }
        }
        let query = try SearchQuery(parsing: ByteString("\(token)"))
        var response: Response?
        search: for _ in 0..<100_000 {
            response = try await stores[index].ask(.search(SearchNotes(query: query, limit: 100, after: nil)))
            guard case .failed(let failure)? = response else { break }
            switch failure {
            // After a purge, the index is built again.
            case .searchBehind, .overloaded: await Task.yield()
            // The index goes on at the next tick.
            case .storageFull, .storageFailed:
                guard stores[index].disk.hasFailed else { break search }
                try await passDay(index)
            default: break search
            }
        }
        guard case .hits(let hits, _, _)? = response else {
            throw Failure("store \(index) cannot be searched: \(String(describing: response))")
        }
        guard Set(hits.map(\.head.id)) == showing else {
            throw Failure("a search for \(token) in store \(index) finds \(hits.map(\.head.id)), and \(showing) show it")
        }
    }

    /// Compares lists, notes and histories with each other.
    mutating func list(_ index: Int) async throws {
        let (living, deleted) = (try await stores[index].list(), try await stores[index].list(Filter(deleted: true)))
        let conflicted = try await stores[index].list(Filter(conflicted: true)).map(\.id)
        guard Set(conflicted) == Set(living.filter { !$0.conflicts.isEmpty }.map(\.id)) else {
            throw Failure("store \(index) lists \(conflicted) as conflicted, among \(living)")
        }
        for id in notes {
            let head = (living + deleted).filter { $0.id == id }
            let note = try await stores[index].note(id)
            guard head.count == (note == nil ? 0 : 1), head.first?.version == note?.head.version,
                head.first?.conflicts == note?.head.conflicts, head.first?.name == note?.head.name,
                head.first?.isDeleted == note?.head.isDeleted
            else { throw Failure("store \(index) lists \(head), and shows \(String(describing: note?.head))") }
            guard let note else { continue }
            let history = Set(try await stores[index].revisions(of: id).map(\.dot))
            let held = try await stores[index].holdings().committed.filter { judge.note(of: $0) == id }
            // A history begins at the oldest text that may be sent to a store without the note.
            guard history.isSubset(of: held), isAnyTextGone || history == held,
                history.isSuperset(of: note.head.version.dots)
            else {
                throw Failure("store \(index) holds \(held.sorted()) of \(id), and its history has \(history.sorted())")
            }
        }
    }

    /// Resumes a watch where it stopped, or goes on with one that has stayed, and compares what it received with
    /// the list.
    ///
    /// - Parameter staying: whether the watch stays until the next of these steps.
    mutating func watch(_ index: Int, staying: Bool = false) async throws {
        let listed = Dictionary(uniqueKeysWithValues: try await stores[index].list().map { ($0.id, $0.version) })
        await stores[index].readChanges(until: listed, staying: staying)
        guard stores[index].reader.versions == listed else {
            throw Failure("a reader of store \(index) holds \(stores[index].reader.versions), and \(listed) is listed")
        }
    }

    /// Checks, after the scrub, that no file of the store contains a token that one of its purges erased.
    mutating func checkErased(_ index: Int) async throws {
        guard purges.count > 0 || !files.purges.isEmpty, !stores[index].disk.isFailing else { return }
        // The scrub waits for files that it cannot remove.
        guard !files.stores[index].isFaulty, !stores[index].isFolderFailing else { return }
        let committed = try await stores[index].holdings().committed
        for attempt in 0..<100_000 {
            // A step that failed, or that the end of the daemon cut short, is repeated at the next tick.
            if attempt == 1_000 { try await passDay(index) }
            guard case .status(let status)? = try await stores[index].ask(.status) else { break }
            if status.store.isScrubbed { break }
            await Task.yield()
        }
        for (dot, purge) in purges where committed.contains(dot) {
            // What somebody wrote again without having seen the purge is not erased.
            for token in purge.tokens.subtracting(judge.tokens(of: purge.note, except: purge.seen)).sorted() {
                let files = try stores[index].files(having: "[\(token)]")
                guard files.isEmpty else { throw Failure("store \(index) has \(token) in \(files), which \(dot) erased") }
            }
        }
        try await checkErasedFiles(index)
    }

    // MARK: The end

    /// The stores exchange everything, and are compared.
    mutating func settle() async throws {
        for index in stores.indices { try await freeDisk(of: index) }
        var known: [DotSet] = []
        for round in 0... {
            guard round < 12 else { throw Failure("the stores do not come to an end with their exchange") }
            for from in stores.indices { for to in stores.indices where from < to { try await sync(from, to) } }
            var now: [DotSet] = []
            for store in stores { now.append(try await store.harness.knownDots()) }
            if now == known { break }
            known = now
        }
        try await settleFiles()
        for index in stores.indices {
            for id in notes { try await check(index, id) }
            try await list(index)
            try await watch(index)
            try await audit(index)
            try await checkErased(index)
        }
        for from in stores.indices {
            for to in stores.indices where from != to {
                try await compareCounts(from, to)
                for id in notes {
                    try await compare(id, from, to)
                    try await compareArrived(id, from, to)
                }
            }
        }
    }

    /// Compares the number of missing revisions in `peers.list` with the stores, and checks that revisions are
    /// held back only after a purge, a compaction or a lie.
    private mutating func compareCounts(_ from: Int, _ to: Int) async throws {
        let (mine, theirs) = (try await stores[from].holdings(), try await stores[to].holdings())
        let missing = mine.committed.subtracting(theirs.committed)
        // Texts that it asks for may have been sent, and not be enough. Bytes may have been lost since they were counted.
        // So may the names of bytes that are nowhere, in a compaction since then.
        let needed = try await stores[to].harness.neededTexts().all.union(stores[to].incomplete()).union(withoutBytes(in: to))
        let asked = missing.union(needed.intersection(mine.committed))
        if !isAnyTextGone, lies == 0 {
            let held = theirs.waiting.union(theirs.quarantined)
            guard missing.isEmpty, held.intersection(mine.committed).isEmpty, theirs.quarantined.isEmpty else {
                throw Failure("store \(to) lacks \(missing.sorted()) of store \(from), and holds \(held.sorted()) back")
            }
        }
        // Copies of a store are one store for their peers.
        let peer = stores[to].identity.store
        guard stores.count(where: { $0.identity.store == peer }) == 1 else { return }
        let counted = try await stores[from].lacks(peer)
        guard (missing.count...asked.count).contains(counted) else {
            throw Failure("store \(to) lacks \(missing.sorted()) of store \(from), which counts \(counted)")
        }
    }

    /// A store that was offered a note by one that holds all of its revisions, and more, holds these, too: unless
    /// it took the note without its past, so that texts cannot come back.
    private mutating func compareArrived(_ id: NoteID, _ from: Int, _ to: Int) async throws {
        guard lies == 0, purges.values.allSatisfy({ $0.note != id }) else { return }
        let (mine, theirs) = (try await stores[from].holdings(), try await stores[to].holdings())
        let judge = judge
        func of(_ dots: Set<Dot>) -> Set<Dot> { dots.filter { judge.note(of: $0) == id } }
        let missing = of(mine.committed).subtracting(theirs.committed)
        guard of(mine.committed).isSuperset(of: of(theirs.committed)), !missing.isEmpty,
            try await !stores[to].harness.lacksPast(of: id)
        else { return }
        var held: [String] = []
        if case .held(let page)? = try await stores[to].ask(.listHeld(ListHeld(limit: 100))) {
            held = page.revisions.map { "\($0.dot): \($0.reason ?? "waits")" }
        }
        throw Failure(
            "store \(to) has not taken \(missing.sorted()) of \(id) from store \(from), which holds all that it holds; it holds back "
                + "\(held)")
    }

    /// Stores that hold the same revisions of a note show the same.
    private mutating func compare(_ id: NoteID, _ from: Int, _ to: Int) async throws {
        let (mine, theirs) = (try await stores[from].holdings(), try await stores[to].holdings())
        let judge = judge
        func of(_ dots: Set<Dot>) -> Set<Dot> { dots.filter { judge.note(of: $0) == id } }
        guard of(mine.committed) == of(theirs.committed) else { return }
        let facts = (try await stores[from].facts(id), try await stores[to].facts(id))
        guard facts.0 == facts.1 else { throw Failure("stores \(from) and \(to) show different notes: \(facts)") }
    }
}
