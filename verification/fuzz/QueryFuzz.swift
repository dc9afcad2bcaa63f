/// Queries of a search: parsed, or refused with an offset; writing a query out and parsing it gives
/// the same query.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let isWords = input.byte() & 1 == 1
    var bytes: [UInt8] = []
    if isWords {
        let pieces = [
            "milk", "é", "(", ")", "\"", "*", "-", " ", "OR", "AND", "NOT", "tag:", "name:", "#", "İ", "\u{2003}", "日本", " (",
        ]
        while !input.isEmpty { bytes += Array(input.pick(pieces).utf8) }
    } else {
        bytes = input.all()
    }
    guard let text = ByteString(checkedUTF8: bytes) else { return 0 }
    do {
        let query = try SearchQuery(parsing: text)
        var count = 0
        checkNode(query.root, text.utf8, &count)
        precondition(count <= SearchQuery.Limits.termsMax, "a query has at most the allowed number of words")
        let written = ByteString(plain(query.root))
        guard written.utf8.count <= SearchQuery.Limits.bytesMax else { return 0 }
        let again = try? SearchQuery(parsing: written)
        precondition(again.map { plain($0.root) } == plain(query.root), "writing and parsing give the same query")
    } catch {
        precondition((0...text.utf8.count).contains(error.offset), "an offset is in the query")
        precondition(!error.reason.isEmpty, "a refusal has a reason")
    }
    return 0
}

private func checkNode(_ node: SearchQuery.Node, _ text: [UInt8], _ count: inout Int) {
    switch node {
    case .term(let term):
        count += 1
        precondition(!term.words.isEmpty && UTF8Validation.isValid(term.words.utf8), "a term has words")
        let place = text[term.offset...].prefix(term.words.utf8.count)
        precondition(term.field == .tag || place.elementsEqual(term.words.utf8), "words are at their place")
        if term.field == .tag { precondition(Tags.lowercased(term.words) == term.words, "a tag is in lower case") }
    case .all(let wanted, let excluded):
        precondition(!wanted.isEmpty && wanted.count + excluded.count > 1, "something is wanted, and there are several parts")
        for node in wanted + excluded { checkNode(node, text, &count) }
    case .any(let nodes):
        precondition(nodes.count > 1, "an alternative has several parts")
        for node in nodes { checkNode(node, text, &count) }
    }
}

/// A canonical form: all words in quotation marks, exclusions last.
private func plain(_ node: SearchQuery.Node) -> String {
    switch node {
    case .term(let term):
        let field = [.tag: "tag:", .name: "name:"][term.field] ?? ""
        let mark = term.field == .tag ? "#" : ""
        return field + "\"" + mark + term.words.description + "\"" + (term.isPrefix ? "*" : "")
    case .all(let wanted, let excluded):
        return (wanted.map(inside) + excluded.map { "-" + inside($0) }).joined(separator: " ")
    case .any(let nodes):
        return nodes.map { if case .any = $0 { inside($0) } else { plain($0) } }.joined(separator: " OR ")
    }
}

private func inside(_ node: SearchQuery.Node) -> String {
    if case .term = node { plain(node) } else { "(" + plain(node) + ")" }
}
