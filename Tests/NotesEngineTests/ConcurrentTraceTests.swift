import Causality
import NotesEngine
import NotesModel
import TestKit
import Testing
import TextMerge

/// A second store receives the revisions of a trace that two people wrote concurrently.
@Suite struct ConcurrentTraceTests {
    private let id = noteID(1)

    @Test(arguments: seeds(1))
    func shuffledPages_endWithTheTraceText(seed: UInt64) async throws {
        let trace = try ConcurrentTrace.friendsforever()
        let revisions = linked(
            trace.events(after: dot("A1")).map { event in
                Revision(
                    note: id, dot: event.dot, parents: event.parents, edits: event.edits, origin: event.origin, author: ada,
                    time: Timestamp(milliseconds: 0))
            })
        var random = SeededGenerator(seed: seed)
        var site = try await Site(try TemporaryDirectory(), as: replica("B"))
        for page in Self.pages(of: revisions, &random) { _ = try await site.adopt(page) }
        let note = await site.note(id)
        #expect(note?.text == trace.end, "seed \(seed)")
        #expect(note?.head.version == Version(revisions.suffix(1).map(\.dot)), "seed \(seed)")
        #expect(note?.head.conflicts == [], "seed \(seed)")
        try await site.restart(as: replica("C"))
        #expect(await site.note(id)?.text == trace.end, "seed \(seed), after a restart")
    }

    /// Pages of up to 256 revisions, each in any order; some arrive twice, and some after the next
    /// page.
    private static func pages(of revisions: [LinkedRevision], _ random: inout SeededGenerator) -> [[LinkedRevision]] {
        var pages: [[LinkedRevision]] = []
        var rest = revisions[...]
        while !rest.isEmpty {
            let page = Array(rest.prefix(1 + random.below(256)))
            rest = rest.dropFirst(page.count)
            if random.chance(0.1) { pages.append(page) }
            pages.append(page.shuffled(using: &random))
            if pages.count > 1, random.chance(0.2) { pages.swapAt(pages.count - 1, pages.count - 2) }
        }
        return pages
    }
}
