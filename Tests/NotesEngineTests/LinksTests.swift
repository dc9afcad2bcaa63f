import Logging
import NoteText
import NotesMethods
import NotesModel
import NotesSearch
import NotesStore
import TestKit
import Testing

@testable import NotesEngine

/// Queries about links through an engine, its store and its index.
@Suite struct LinksTests {
    private static func harness(_ folder: TemporaryDirectory) async throws -> Harness {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let journal = try Site.open(folder, replica("A"))
        let index = try SearchIndex(directory: folder.path, store: journal.identity.store, logger: logger)
        var harness = Harness(journal: journal, index: index)
        _ = await harness.register(1)
        return harness
    }

    private static func create(_ number: UInt64, _ name: String, _ text: String) -> Call {
        let create = CreateNote(id: noteID(number), isIDChosen: false, name: ByteString(name), text: bytes(text))
        return .write(.createNote(create))
    }

    @Test func everyAcknowledgedWrite_counts() async throws {
        let folder = try TemporaryDirectory()
        var harness = try await Self.harness(folder)
        _ = await harness.ask(one, Self.create(1, "to", ""))
        for number in UInt64(2)...9 {
            guard case .created(let head, _) = await harness.ask(one, Self.create(number, "from\(number)", "x [[to]] [[no]]")),
                case .incomingLinks(let links, nil) = await harness.ask(
                    one, .links(.incoming(ListIncomingLinks(id: noteID(1), limit: 100, after: nil)))),
                case .missingLinks(let missing, nil) = await harness.ask(
                    one, .links(.missing(ListMissingLinks(limit: 100, after: nil))))
            else {
                Issue.record("another answer after note \(number)")
                break
            }
            #expect(links.map(\.head.id) == (2...number).reversed().map { noteID($0) })
            #expect(links.first?.head.version == head.version && links.first?.start.utf8 == 4)
            #expect(missing.map(\.links) == [Int(number) - 1] && missing.first?.notes.count == min(3, Int(number) - 1))
        }
        guard case .created(let head, _) = await harness.ask(one, Self.create(20, "no", "")),
            case .resolvedLinks(let found) = await harness.ask(
                one, .links(.resolve(ResolveLinks(targets: [LinkTarget(kind: .wiki, decoded: "NO")], from: noteID(2))))),
            case .missingLinks(let missing, nil) = await harness.ask(
                one, .links(.missing(ListMissingLinks(limit: 100, after: nil))))
        else {
            Issue.record("another answer")
            return
        }
        #expect(found.first?.notes.map(\.version) == [head.version] && missing.isEmpty)
        _ = await harness.finish()
    }

    @Test func linksOfANoteThatDoesNotLive_areRefused() async throws {
        let folder = try TemporaryDirectory()
        var harness = try await Self.harness(folder)
        guard case .created(let head, _) = await harness.ask(one, Self.create(1, "a", "")) else {
            Issue.record("not created")
            return
        }
        _ = await harness.ask(one, .write(.deleteNote(DeleteNote(id: noteID(1), base: head.version))))
        for query in [
            LinkQuery.incoming(ListIncomingLinks(id: noteID(1), limit: 1, after: nil)),
            .resolve(ResolveLinks(targets: [], from: noteID(2))),
        ] {
            guard case .refused(.noteNotFound) = await harness.ask(one, .links(query)) else {
                Issue.record("\(query) was answered")
                continue
            }
        }
        _ = await harness.finish()
    }
}
