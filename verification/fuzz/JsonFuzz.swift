/// The parser compared with a naive one, and reading compared with writing.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let depthMax = [32, 1, 2, 4][input.below(4)]
    let text = input.all()
    let naive = NaiveJSON(text, depthMax: depthMax)
    do {
        let document = try JSONDocument(parsing: text, depthMax: depthMax)
        let tree = NaiveJSON(document.root)
        precondition(tree == naive, "the parser reads the same value as the naive one")
        precondition(document.hasNull == tree.hasNull, "U+0000 is detected everywhere")
        checkRoundTrip(tree, depthMax)
        checkInside(text, tree)
    } catch {
        precondition(naive == nil, "valid JSON is accepted")
        checkFault(error, text, depthMax)
    }
    return 0
}

private func checkRoundTrip(_ tree: NaiveJSON, _ depthMax: Int) {
    var writer = JSONWriter()
    tree.write(to: &writer)
    let again = try? JSONDocument(parsing: writer.bytes, depthMax: depthMax)
    precondition(again.map { NaiveJSON($0.root) } == tree, "writing and reading give the same value")
    precondition(again.map { Array($0.root.source) } == writer.bytes, "the source of a written value is its text")
}

/// The source of a value parses to that value, at any place.
private func checkInside(_ text: [UInt8], _ tree: NaiveJSON) {
    let outer = Array("[0,".utf8) + text + Array("]".utf8)
    let value = (try? JSONDocument(parsing: outer, depthMax: 64))?.root.elements.dropFirst().first { _ in true }
    let source = value.map { Array($0.source) } ?? []
    precondition((try? JSONDocument(parsing: source, depthMax: 64)).map { NaiveJSON($0.root) } == tree, "inside as alone")
}

/// Before the reported offset nothing is wrong: a text cut there is whole or ends too soon.
private func checkFault(_ fault: JSONFault, _ text: [UInt8], _ depthMax: Int) {
    precondition((0...text.count).contains(fault.offset), "an offset is in the text")
    precondition((fault.reason == .unexpectedEnd) == (fault.offset == text.count), "only the end of the text is past the text")
    precondition(!fault.description.isEmpty, "a fault has a description")
    do {
        _ = try JSONDocument(parsing: Array(text[..<fault.offset]), depthMax: depthMax)
    } catch {
        precondition(error == JSONFault(offset: fault.offset, reason: .unexpectedEnd), "the text before a fault can be continued")
    }
}
