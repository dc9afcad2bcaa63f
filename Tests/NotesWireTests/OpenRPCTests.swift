import NoteText
import NotesMethods
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

/// Agreement of `docs/openrpc.json` with the code.
@Suite struct OpenRPCTests {
    private let document: JSONValue
    private let check: SchemaCheck

    init() throws {
        document = try JSONDocument(parsing: OpenRPC.document, depthMax: WireProtocol.serverDepthMax).root
        check = SchemaCheck(document: document)
    }

    private struct Param {
        let name: String
        let isRequired: Bool
        /// The error kind if the parameter is missing; nil for `invalid_params`.
        let missing: String?
        /// Another parameter that this one requires.
        let needs: String?
        let schema: JSONValue
    }

    private struct Undescribed: Error {
        let param: String
    }

    private var methods: [JSONValue] { document["methods"].map { Array($0.elements) } ?? [] }

    private func method(_ name: Method) throws -> JSONValue {
        try #require(methods.first { $0["name"]?.string?.description == name.name }, "\(name.name) is not described")
    }

    private func params(_ method: JSONValue) throws -> [Param] {
        try #require(method["params"]).elements.map { param in
            Param(
                name: try #require(param["name"]?.string?.description), isRequired: param["required"]?.bool == true,
                missing: param["x-missing"]?.string?.description, needs: param["x-needs"]?.string?.description,
                schema: try #require(param["schema"]))
        }
    }

    private func names(_ list: JSONValue?) -> [String] { list?.elements.compactMap { $0.string?.description } ?? [] }

    private func read(_ method: Method, _ params: [String: [UInt8]]) -> IncomingLine {
        var writer = JSONWriter()
        writer.object { line in
            line.member("jsonrpc", "2.0")
            line.member("id", 1)
            line.member("method", method.name)
            line.name("params")
            line.object { object in
                for (name, value) in params.sorted(by: { $0.key < $1.key }) {
                    object.name(Array(name.utf8))
                    object.raw(value)
                }
            }
        }
        return RequestReader().read(writer.bytes, isRegistered: method != .hello)
    }

    private func error(_ line: IncomingLine) -> WireError? {
        if case .refused(_, let error) = line { error } else { nil }
    }

    /// The smallest set of params that a method accepts, with the examples of the document.
    private func leastParams(_ method: JSONValue) throws -> [String: [UInt8]] {
        let oneOf = names(method["x-exactly-one"]).prefix(1) + names(method["x-at-least-one"]).prefix(1)
        var least: [String: [UInt8]] = [:]
        for param in try params(method) where param.isRequired || oneOf.contains(param.name) {
            guard let example = check.example(param.schema) else { throw Undescribed(param: param.name) }
            least[param.name] = example
        }
        return least
    }

    // MARK: The document

    @Test func document_matchesTheFileInDocs() throws {
        let file = try JSONTree(parsing: repositoryFile("docs/openrpc.json"), depthMax: WireProtocol.serverDepthMax)
        #expect(JSONTree(document) == file, "run scripts/embed-openrpc")
        #expect(!OpenRPC.document.contains(UInt8(ascii: "\n")), "an answer is one line")
    }

    @Test func references_resolve() {
        func references(_ value: JSONValue) -> [String] {
            let own = value["$ref"]?.string.map { [$0.description] } ?? []
            return own + value.members.flatMap { references($0.value) } + value.elements.flatMap(references)
        }
        for reference in Set(references(document)) {
            let parts = reference.split(separator: "/").dropFirst()
            let found = parts.reduce(Optional(document)) { value, name in
                value?.members.first { $0.name.description == name }?.value
            }
            #expect(found != nil, "\(reference)")
        }
    }

    @Test func document_describesEveryMethodAndNoOther() {
        #expect(methods.compactMap { $0["name"]?.string?.description } == Method.allCases.map(\.name))
    }

    @Test func document_describesEveryErrorAndNoOther() throws {
        let errors = try #require(document["components"]?["errors"])
        var described: [String: Int64] = [:]
        for error in errors.members {
            let name = error.name.description
            described[name] = error.value["code"]?.integer
            #expect(error.value["data"]?["kind"]?.string?.description == name)
            let kind = try #require(ErrorKind(rawValue: name))
            if let retryable = error.value["data"]?["retryable"]?.bool { #expect(retryable == kind.isRetryable, "\(name)") }
        }
        #expect(described == Dictionary(uniqueKeysWithValues: ErrorKind.allCases.map { ($0.rawValue, Int64($0.code)) }))
    }

    // MARK: Params

    @Test(arguments: Method.allCases)
    func params_matchTheReader(name: Method) throws {
        let method = try method(name)
        let params = try params(method)
        let least = try leastParams(method)
        #expect(error(read(name, least)) == nil, "the least: \(least.mapValues { string($0) })")
        let exclusive = names(method["x-exactly-one"])
        for param in params {
            guard let example = check.example(param.schema) else { throw Undescribed(param: param.name) }
            let value = try JSONDocument(parsing: example, depthMax: 9).root
            #expect(check.faults(value, param.schema, at: param.name) == [])
            var more = least
            if exclusive.contains(param.name) { for other in exclusive { more[other] = nil } }
            more[param.name] = example
            if let needed = param.needs, let other = params.first(where: { $0.name == needed }) {
                #expect(error(read(name, more))?.path == "params.\(needed)", "\(param.name) without \(needed)")
                more[needed] = check.example(other.schema)
            }
            #expect(error(read(name, more)) == nil, "with \(param.name)")
            more[param.name] = bytes("[[]]")
            let mistyped = error(read(name, more))
            #expect(mistyped?.kind == .invalidParams, "\(param.name)")
            #expect(mistyped?.path?.hasPrefix("params.\(param.name)") == true, "\(param.name)")
        }
        let all = Set(try methods.flatMap { try self.params($0) }.map(\.name))
        for unknown in all.subtracting(params.map(\.name)).union(["", "Text", "text "]) {
            var more = least
            more[unknown] = bytes("1")
            let expected = unknown.isEmpty ? "params" : "params.\(unknown)"
            #expect(error(read(name, more))?.path == expected, "\(unknown)")
        }
    }

    @Test(arguments: Method.allCases)
    func requiredParams_areRequired(name: Method) throws {
        let method = try method(name)
        let least = try leastParams(method)
        for param in try params(method) where param.isRequired {
            var less = least
            less[param.name] = nil
            let error = error(read(name, less))
            if let missing = param.missing {
                // The model reports this error, because it includes the current version.
                #expect(error == nil && ErrorKind(rawValue: missing) != nil)
            } else {
                #expect(error?.kind == .invalidParams && error?.path == "params.\(param.name)", "without \(param.name)")
            }
        }
        for group in ["x-exactly-one", "x-at-least-one"] as [StaticString] where method[group] != nil {
            var less = least
            for name in names(method[group]) { less[name] = nil }
            #expect(error(read(name, less))?.path == "params", "without any of \(group)")
        }
    }

    @Test(arguments: seeds(100))
    func requests_matchTheDocument(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let call = random.call()
        let line = try JSONDocument(parsing: call.line(id: .integer(1)), depthMax: 9).root
        let params = try params(method(call.method))
        for member in try #require(line["params"]).members {
            let param = try #require(params.first { $0.name == member.name.description }, "\(member.name) of \(call.method)")
            // The generator ignores the schema's limits on names that people choose.
            let faults = check.faults(member.value, param.schema, at: param.name)
            #expect(faults == [], "seed \(seed)")
        }
    }

    // MARK: Results and notifications

    private func expectDescribed(_ result: some WireResult, _ method: Method, _ seed: UInt64) throws {
        let line = try JSONDocument(parsing: result.line(id: .integer(1)), depthMax: WireProtocol.serverDepthMax).root
        let schema = try #require(self.method(method)["result"]?["schema"])
        let faults = check.faults(try #require(line["result"]), schema, at: method.name)
        #expect(faults == [], "seed \(seed)")
    }

    @Test(arguments: seeds(40))
    func results_matchTheDocument(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try expectDescribed(random.hello(), .hello, seed)
        try expectDescribed(EmptyResult(), .ping, seed)
        try expectDescribed(EmptyResult(), .unwatch, seed)
        try expectDescribed(EmptyResult(), .setPresence, seed)
        let replay = CreateResult.Replay(dot: random.anyDot(), version: random.anyVersion())
        try expectDescribed(CreateResult(note: random.note(), replay: random.maybe(replay)), .createNote, seed)
        try expectDescribed(GetResult(note: random.note()), .getNote, seed)
        try expectDescribed(
            ListResult(notes: [random.note()], next: random.maybe(random.anyListPlace(mayBeStart: false))), .listNotes, seed)
        for write in [Method.saveNote, .editNote, .deleteNote] { try expectDescribed(random.outcome(), write, seed) }
        try expectDescribed(random.search(), .search, seed)
        try expectDescribed(random.history(), .history, seed)
        try expectDescribed(random.revisions(), .listRevisions, seed)
        try expectDescribed(random.knownRevisions(), .knownRevisions, seed)
        try expectDescribed(WatchRevisionsResult(watch: 2, lacks: random.below(9)), .watchRevisions, seed)
        for method in [Method.proceed, .completeRevisions] { try expectDescribed(EmptyResult(), method, seed) }
        try expectDescribed(random.adopted(), .adopt, seed)
        try expectDescribed(random.peers(), .listPeers, seed)
        try expectDescribed(EmptyResult(), .forgetPeer, seed)
        try expectDescribed(random.heldPage(), .listHeld, seed)
        for upload in [Method.beginFile, .putFile] {
            try expectDescribed(
                UploadResult(isThere: random.chance(0.5), offset: random.below(9), isWanted: random.chance(0.5)), upload, seed)
        }
        try expectDescribed(FilePartResult(data: [1, 2], offset: random.below(9), bytes: random.below(9)), .getFile, seed)
        try expectDescribed(FileCheckResult(isThere: random.chance(0.5)), .checkFile, seed)
        try expectDescribed(
            HaveFilesResult(
                lacks: [random.below(9)], lost: random.chance(0.5) ? [] : [1], fetchBytesMax: random.maybe(random.below(9))),
            .haveFiles, seed)
        try expectDescribed(random.listedFiles(), .listFiles, seed)
        try expectDescribed(random.limitResult(), .limit, seed)
        try expectDescribed(DropResult(dropped: random.below(9)), .dropHeld, seed)
        try expectDescribed(WatchResult(watch: 1, cursor: random.anyCursor(), isReset: true), .watch, seed)
        try expectDescribed(
            TagsResult(TagPage(tags: [TagCount(tag: random.label(), notes: 3)], next: random.maybe(random.label()))), .listTags,
            seed)
        try expectDescribed(
            IncomingLinksResult(
                links: [
                    .init(
                        note: random.note(), kind: random.pick(Link.Kind.allCases), range: 1..<3, target: random.label(),
                        fragment: random.maybe(random.label()), snippet: random.text(lengthMax: 20))
                ],
                next: random.maybe(random.anyLinkPosition())), .incomingLinks, seed)
        try expectDescribed(
            MissingLinksResult(
                targets: [
                    MissingTarget(
                        kind: random.pick(Link.Kind.allCases), target: random.label(), links: 2, notes: [random.anyNoteID()])
                ],
                next: random.maybe(random.anyMissingLinkPosition())), .missingLinks, seed)
        try expectDescribed(
            ResolvedLinksResult(found: [.init(notes: [random.note()], more: 1)]), .resolveLinks, seed)
        try expectDescribed(random.dependents(), .listDependents, seed)
        try expectDescribed(random.status(), .status, seed)
        try expectDescribed(random.audit(), .audit, seed)
        try expectDescribed(random.backup(), .backup, seed)
        try expectDescribed(random.config(), .config, seed)
        try expectDescribed(random.metrics(), .metrics, seed)
    }

    @Test(arguments: seeds(40))
    func notifications_matchTheDocument(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let mark = WatchMark(watch: 1, seq: 2, cursor: random.anyCursor())
        let note = random.note()
        let kind = random.pick(ChangeWord.allCases)
        let changed = EncodedChange(
            change: kind,
            note: kind == .left ? EncodedNote(left: note.head) : EncodedNote(note), changes: 1 + random.below(3),
            origin: random.maybe(Origin(dependent: DependentID(1), label: random.maybe("l"))))
        let lines = [
            changed.line(watch: 1, seq: 1, cursor: random.anyCursor()), mark.syncedLine(), mark.bookmarkLine(),
            WatchReset(watch: 1, seq: 3, reason: "outbox_full").line(),
            SessionClosing(reason: "shutting_down", retryAfterMilliseconds: random.maybe(5)).line(), random.progress().line(),
            random.presenceChanged().line(), random.revisionsPage().line(),
        ]
        let described = try #require(document["x-notifications"])
        #expect(described.elements.reduce(0) { count, _ in count + 1 } == lines.count)
        for (line, description) in zip(lines, described.elements) {
            let root = try JSONDocument(parsing: line, depthMax: WireProtocol.serverDepthMax).root
            #expect(root["method"]?.string == description["name"]?.string)
            let faults = check.faults(try #require(root["params"]), try #require(description["params"]), at: "params")
            #expect(faults == [], "seed \(seed)")
        }
    }
}
