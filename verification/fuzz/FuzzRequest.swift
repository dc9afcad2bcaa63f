/// A request with some invalid params, made from libFuzzer's choices.
struct FuzzRequest {
    private(set) var line: [UInt8] = []

    init(_ input: inout FuzzInput) {
        var writer = JSONWriter()
        let method = input.pick(Method.allCases)
        let odd = input.byte()
        writer.object { line in
            if odd != 1 { line.member("jsonrpc", odd == 2 ? "1.0" : "2.0") }
            if odd != 3 { line.member("id", json: Array(input.pick(odd < 20 ? Self.values : ["1", "\"a\""]).utf8)) }
            line.member("method", odd == 4 ? "no.such" : method.name)
            guard odd != 5 else { return }
            line.name("params")
            line.object { params in
                for param in Self.params[method] ?? [] {
                    let choice = input.byte()
                    // Mostly present, and mostly valid.
                    guard choice < 180 else { continue }
                    params.name(Array((choice == 0 ? param.name + "s" : param.name).utf8))
                    params.raw(Array(input.pick(choice < 30 ? Self.values : param.values).utf8))
                }
                if odd == 6 { params.member("extra", 1) }
            }
            if odd == 7 { line.member("parms", 1) }
        }
        line = writer.bytes
        // Also changes a byte somewhere.
        if odd >= 250 { line[input.below(min(line.count, 256))] = input.byte() }
    }

    private struct Param {
        let name: String
        let values: [String]
    }

    private static let values = [
        "null", "true", "0", "-1", "1.0", "1e400", "-0", "9007199254740992", "9007199254740993", "9223372036854775808", "\"\"",
        "\"x\"",
        "\"\\u0000\"", "\"\\ud83d\\ude42\"", "[]", "[null]", "{}", "{\"\":0}", "{\"a\\u0000\":1}", "[[[[]]]]", "\"utf-16\"",
        "[1]",
    ]
    private static let note = ["\"01890a5d-ac96-774b-bcce-b302099a8057\"", "\"01890A5D-ac96-774b-bcce-b302099a8057\""]
    private static let versions = [
        "\"9f86d081884c7d65:7\"", "\"\"", "\"9f86d081884c7d65:7 1f86d081884c7d65:9223372036854775807\"",
        "\"9f86d081884c7d65:07\"",
        "\"9f86d081884c7d65:7 9f86d081884c7d65:7\"", "\" \"",
    ]
    private static let texts = ["\"a\\n\"", "\"\\u00e9\\t\"", "\"e\u{301}🙂\""]
    private static let edits = [
        "[]", "[{\"start\":0,\"end\":1,\"text\":\"a\"}]", "[{\"start\":0,\"end\":1}]",
        "[{\"start\":0,\"end\":-1,\"text\":\"\",\"by\":1}]",
        "[{\"start\":1.5,\"end\":1,\"text\":\"a\"}]", "[{\"start\":0,\"end\":1,\"text\":\"a\"},{\"text\":7}]", "[[]]",
    ]
    private static let filters = [
        "{}", "{\"ids\":[]}", "{\"ids\":[\"01890a5d-ac96-774b-bcce-b302099a8057\",\"x\"]}",
        "{\"prefix\":\"work/\",\"tag\":\"todo\"}",
        "{\"conflicted\":false,\"deleted\":true}", "{\"deleted\":null}", "{\"prefx\":\"\"}",
    ]
    private static let op = Param(name: "op", values: ["\"7f3a\"", "\"\""])
    private static let id = Param(name: "id", values: note)
    private static let base = Param(name: "base", values: versions)
    private static let name = Param(name: "name", values: ["\"work/inbox\"", "null", "\"..\""])
    private static let text = Param(name: "text", values: texts)
    private static let filter = Param(name: "filter", values: filters)
    private static let resolves = Param(name: "resolves", values: ["[]", "[\"0123456789abcdef0123456789abcdef\"]", "[\"0\"]"])
    private static let limit = Param(name: "limit", values: ["1", "100", "101", "1000", "1001", "0"])

    private static let times = Param(
        name: "times",
        values: [
            "{\"modified\":\"2019-05-04T10:00:00.000Z\"}", "{\"created\":\"2019-05-04T10:00:00.000Z\"}",
            "{\"modified\":\"2019-05-04T10:00:00.000Z\",\"created\":\"2019-13-04T10:00:00.000Z\"}",
        ])
    private static let dots = [
        "\"\"", "\"0fea785c81abccf0:1-2\"", "\"0fea785c81abccf0:1-2,4 1fea785c81abccf0:7\"", "\"0fea785c81abccf0:2-1\"",
    ]
    private static let replica = ["\"9f86d081884c7d65\"", "\"9f86\""]
    private static let wireRevisions = [
        "[]", "[{\"head\":\"Ag==\",\"text\":\"\"}]", "[{\"head\":\"Ag=\",\"text\":\"\"}]", "[{\"head\":\"\"}]",
        "[{\"head\":\"\(head)\",\"text\":\"a\\n\"}]",
    ]
    /// The head of a revision.
    private static let head =
        "AghBfur8CHHkpm+EIsoA33oP6nhcgavM8AMBD+p4XIGrzPACAAAAAAAAAABcCHNob3BwaW5nAAABAARyb290CG5vdGVzY3Rsovnh+8JoAA=="
    private static let beginnings = ["null", "\"2026-11-26T12:02:22.368Z\""].map { created in
        """
        [{"revision":{"head":"\(head)","text":""},"below":"0fea785c81abccf0:1-2","text":"Milk\\nBread\\n","name":"shopping",\
        "deleted":false,"last_line":"shown","created":\(created)}]
        """
    }

    private static func after(_ values: String...) -> Param { Param(name: "after", values: values) }

    private static let params: [Method: [Param]] = [
        .hello: [
            Param(name: "protocol", values: ["[1]", "[2,1]", "[2]", "[]", "[\"1\"]"]),
            Param(
                name: "client",
                values: ["{\"name\":\"a\"}", "{\"name\":\"a\",\"version\":\"1\"}", "{\"version\":\"1\"}", "{\"nam\":1}"]),
            Param(name: "label", values: ["\"laptop/vim\""]),
            Param(name: "positionEncoding", values: ["[\"utf-8\",\"utf-16\"]", "[\"utf-7\",\"utf-32\"]", "[]", "[1]"]),
        ],
        .createNote: [text, name, id, op, times],
        .getNote: [id, name, Param(name: "at", values: versions), Param(name: "from", values: versions)],
        .listNotes: [
            filter, limit, Param(name: "order", values: ["\"newest\"", "\"name\"", "\"\""]),
            after("\"01890a5d-ac96-774b-bcce-b302099a8057/work\"", "\"01890a5d-ac96-774b-bcce-b302099a8057\""),
        ],
        .search: [
            Param(name: "query", values: ["\"milk -bread\"", "\"(\"", "\"tag:a OR \\\"b\\\"*\"", "\"-x\""]), limit,
            after("\"3fe5555555555555.0000000000000421\"", "\"fff0000000000000.0000000000000421\""),
        ],
        .saveNote: [id, base, text, name, resolves, op, times],
        .editNote: [id, base, Param(name: "edits", values: edits), resolves, op],
        .deleteNote: [id, base, op], .purgeNote: [id, base, op],
        .undoNote: [
            id, base, Param(name: "revisions", values: ["[\"9f86d081884c7d65:7\"]", "[]", "[\"9f86d081884c7d65:0\"]"]),
            Param(name: "ops", values: ["[\"7f3a\"]", "[]", "[\"\"]"]), op, times, Param(name: "preview", values: ["true", "0"]),
        ],
        .listTags: [Param(name: "prefix", values: ["\"project/\"", "\"\""]), limit, after("\"project/notesd\"", "\"#\"")],
        .listRevisions: [
            Param(name: "author", values: ["\"ada\"", "\"laptop/vim\""]),
            Param(name: "since", values: ["\"2026-11-26T12:02:22.368Z\"", "\"2026-11-26\""]), limit,
            after("\"4711\"", "\"04711\""),
        ],
        .knownRevisions: [Param(name: "digests", values: dots)],
        .watchRevisions: [
            Param(
                name: "peer",
                values: [
                    "{\"store\":\"aaaaaaaaaaaaaaaa\",\"replica\":\"bbbbbbbbbbbbbbbb\"}", "{\"store\":\"aaaaaaaaaaaaaaaa\"}",
                    "{\"store\":\"a\"}",
                ]
            ), Param(name: "known", values: dots), Param(name: "refuses", values: dots),
        ],
        .proceed: [
            Param(name: "watch", values: ["1", "0"]), Param(name: "seq", values: ["1", "0"]),
            Param(name: "lacking", values: ["[]", "[\"9f86d081884c7d65:7\"]", "[\"\"]"]),
        ],
        .completeRevisions: [Param(name: "dots", values: dots)],
        .adopt: [
            Param(name: "revisions", values: wireRevisions), Param(name: "beginnings", values: beginnings + ["[]", "[{}]"]),
        ],
        .forgetPeer: [Param(name: "store", values: replica)],
        .listHeld: [
            Param(name: "dot", values: ["\"9f86d081884c7d65:7\"", "\"9f86d081884c7d65:0\""]), limit,
            after("\"quarantined/12\"", "\"waiting/012\""),
        ],
        .limit: [
            Param(name: "access", values: ["\"sync\"", "\"none\""]), Param(name: "methods", values: ["\"exchange\"", "\"\""]),
        ],
        .dropHeld: [Param(name: "dots", values: ["[\"9f86d081884c7d65:7\"]", "[]", "[\"\"]"])],
        .incomingLinks: [
            id, limit, after("\"01890a5d-ac96-774b-bcce-b302099a8057/0\"", "\"01890a5d-ac96-774b-bcce-b302099a8057\""),
        ],
        .missingLinks: [
            limit, after("\"01890a5d-ac96-774b-bcce-b302099a8057/0/wiki/nowhere\"", "\"01890a5d-ac96-774b-bcce-b302099a8057/0\""),
        ],
        .resolveLinks: [
            Param(
                name: "targets",
                values: [
                    "[{\"kind\":\"wiki\",\"target\":\"inbox\"}]", "[{\"kind\":\"web\",\"target\":\"\"}]", "[{\"target\":\"\"}]",
                    "[]",
                ]),
            Param(name: "from", values: note),
        ],
        .history: [id, limit, Param(name: "before", values: ["\"9f86d081884c7d65:7\"", "\"\""])],
        .watch: [
            filter, Param(name: "include", values: ["\"meta\"", "\"edits\"", "\"all\""]),
            Param(name: "since", values: ["\"42.9f86d081884c7d65\"", "\"042.9f86d081884c7d65\""]),
            Param(name: "snapshot", values: ["false", "1"]), Param(name: "echo", values: ["false"]),
        ],
        .unwatch: [Param(name: "watch", values: ["1", "0", "9007199254740992"])],
        .setPresence: [
            Param(name: "note", values: note + ["null"]), Param(name: "version", values: versions),
            Param(
                name: "selection",
                values: ["{\"start\":0,\"end\":0}", "null", "{\"start\":-1,\"end\":0}", "{\"start\":2,\"end\":1}", "{}"]),
        ],
        .backup: [Param(name: "path", values: ["\"/a\"", "\"a\"", "\"a/b\"", "\"\""])],
    ]
}
