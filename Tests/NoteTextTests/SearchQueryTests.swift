import NoteText
import TestKit
import Testing

@Suite struct SearchQueryTests {
    private func parsed(_ query: String) throws -> String {
        func text(_ node: SearchQuery.Node) -> String {
            switch node {
            case .term(let term):
                let fields: [SearchQuery.Term.Field: String] = [.name: "name:", .tag: "tag:", .link: "link:"]
                let field = fields[term.field] ?? ""
                return field + "[\(term.words)]" + (term.isPrefix ? "*" : "")
            case .any(let nodes): return "(" + nodes.map(text).joined(separator: " | ") + ")"
            case .all(let wanted, let excluded):
                return "(" + (wanted.map(text) + excluded.map { "!" + text($0) }).joined(separator: " & ") + ")"
            }
        }
        return text(try SearchQuery(parsing: ByteString(query)).root)
    }

    @Test(arguments: [
        ("milk", "[milk]"), ("  milk\t", "[milk]"), ("milk bread", "([milk] & [bread])"),
        ("milk AND bread", "([milk] & [bread])"),
        ("milk OR bread tea", "([milk] | ([bread] & [tea]))"), ("milk bread OR tea", "(([milk] & [bread]) | [tea])"),
        ("(milk OR bread) tea", "(([milk] | [bread]) & [tea])"), ("\"oat milk\"", "[oat milk]"), ("\"oat mil\"*", "[oat mil]*"),
        ("mil*", "[mil]*"), ("milk -bread", "([milk] & ![bread])"), ("-bread milk", "([milk] & ![bread])"),
        ("milk NOT bread", "([milk] & ![bread])"), ("milk NOT (a OR b)", "([milk] & !([a] | [b]))"),
        ("milk -\"a b\"", "([milk] & ![a b])"), ("tag:Todo", "tag:[todo]"), ("tag:#Work/*", "tag:[work/]*"),
        ("tag:\"a b\"", "tag:[a b]"), ("name:work/inbox", "name:[work/inbox]"), ("http://a.b", "[http://a.b]"),
        ("link:Inbox", "link:[Inbox]"), ("-link:\"a b\" c", "([c] & !link:[a b])"), ("and or not", "([and] & [or] & [not])"),
        ("\"OR\"", "[OR]"), ("ORDER", "[ORDER]"), ("don't", "[don't]"),
        ("a-b", "[a-b]"),
        ("\"oat milk\" tea", "([oat milk] & [tea])"), ("-a AND b", "([b] & ![a])"), ("a AND -b", "([a] & ![b])"),
        ("日本\u{3000}語", "([日本] & [語])"), ("((a))", "[a]"), ("a(b)", "([a] & [b])"), ("a\"b\"", "([a] & [b])"),
    ])
    func queries_parseToTheirTrees(query: String, tree: String) throws {
        #expect(try parsed(query) == tree)
    }

    @Test(arguments: [
        ("", 0, "no search term"), ("  ", 0, "no search term"), ("\"milk", 0, "not closed"),
        ("é \"milk", 3, "not closed"),
        ("(milk", 0, "not closed"), ("milk)", 4, "not open"), ("()", 0, "term in it"), ("a ()", 2, "term in it"),
        ("a ( )", 2, "term in it"), ("( ", 0, "term in it"), ("a AND -", 6, "term after it"),
        ("-milk", 0, "only excluded terms"), ("a OR -b", 5, "only excluded terms"), ("(-a) b", 1, "only excluded terms"),
        ("OR a", 0, "both sides"), ("a OR", 2, "both sides"), ("a OR OR b", 5, "both sides"), ("(a OR)", 3, "both sides"),
        ("AND a", 0, "both sides"), ("a AND", 2, "both sides"), ("a AND OR b", 2, "both sides"), ("a AND AND b", 2, "both sides"),
        ("a -", 2, "term after it"), ("a - b", 2, "term after it"), ("a NOT", 2, "term after it"),
        ("(a NOT)", 3, "term after it"), ("fo*o", 2, "does not end a word"), ("*", 0, "does not end a word"),
        ("a **", 2, "does not end a word"), ("link:a*", 6, "whole target"), ("link:", 0, "directly after it"),
        ("tag:", 0, "directly after it"), ("a name: b", 2, "directly after it"),
        ("\"\"", 0, "empty term"), ("tag:#", 0, "empty term"), ("tag:(a)", 0, "directly after it"),
        (String(repeating: "(", count: 17) + "a", 16, "17 deep"),
        (String(repeating: "a ", count: 65), 128, "term 65"), (String(repeating: "a", count: 4_097), 4_096, "4097 bytes"),
    ])
    func queryFaults_haveOffsetAndReason(query: String, offset: Int, words: String) throws {
        let fault = #expect(throws: SearchQueryFault.self) { _ = try SearchQuery(parsing: ByteString(query)) }
        #expect(fault?.offset == offset && fault?.reason.contains(words) == true, "\(String(describing: fault))")
    }

    /// Any input is either parsed or rejected with a position in it, and a parsed query satisfies
    /// its invariants.
    @Test(arguments: seeds(2_000))
    func anyQueryText_parsesOrIsRefused(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "日本", "é", " ", "\u{3000}", "\"", "(", ")", "*", "-", "OR", "AND", "NOT", "tag:", "name:", "#", "\n", "🎉",
            " OR ",
        ]
        let text = (0..<random.below(14)).map { _ in random.pick(pieces) }.joined()
        do throws(SearchQueryFault) {
            let query = try SearchQuery(parsing: ByteString(text))
            #expect(query.text == ByteString(text))
            #expect(isComplete(query.root, in: Array(text.utf8)), "seed \(seed): \(text)")
            #expect(!query.root.requiredTerms.isEmpty, "seed \(seed): \(text)")
        } catch {
            #expect((0...text.utf8.count).contains(error.offset) && !error.reason.isEmpty, "seed \(seed): \(text): \(error)")
        }
    }

    private func isComplete(_ node: SearchQuery.Node, in text: [UInt8]) -> Bool {
        switch node {
        case .term(let term):
            let isThere = text.dropFirst(term.offset).starts(with: term.words.utf8) || term.field == .tag
            return !term.words.isEmpty && isThere
        case .any(let nodes): return nodes.count > 1 && nodes.allSatisfy { isComplete($0, in: text) }
        case .all(let wanted, let excluded):
            return !wanted.isEmpty && wanted.count + excluded.count > 1
                && (wanted + excluded).allSatisfy { isComplete($0, in: text) }
        }
    }
}
