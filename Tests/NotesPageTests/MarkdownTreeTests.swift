import StrictJSON
import Testing

@testable import NotesPage

/// What a reader gets of a text.
struct MarkdownTreeTests {
    private func json(_ text: String) -> String { String(decoding: MarkdownTree(Array(text.utf8)).json, as: UTF8.self) }

    @Test(arguments: [
        ("", #"{"blocks":[],"isCut":false}"#),
        ("# A *b*\n", #"{"blocks":[[1,["h",1],"A ",["em"],"b",0,0]],"isCut":false}"#),
        ("a\nb  \nc", #"{"blocks":[[1,["p"],"a\nb",["br"],0,"c",0]],"isCut":false}"#),
        ("\n\n3. a\n4. b", #"{"blocks":[[3,["ol",3],["li"],"a",0,["li"],"b",0,0]],"isCut":false}"#),
        ("- a\n\n- b", #"{"blocks":[[1,["ul"],["li"],["p"],"a",0,0,["li"],["p"],"b",0,0,0]],"isCut":false}"#),
        ("- [x] a\n- [ ] b", #"{"blocks":[[1,["ul"],["task",1],"a",0,["task",0],"b",0,0]],"isCut":false}"#),
        (
            "|a|b|c|\n|-|:-:|-:|\n|1|2|3|",
            #"{"blocks":[[1,["table"],["head"],["cell",0],"a",0,["cell",1],"b",0,["cell",2],"c",0,0,"#
                + #"["row"],["cell",0],"1",0,["cell",1],"2",0,["cell",2],"3",0,0,0]],"isCut":false}"#
        ),
        ("~~a~~ `<b>`", #"{"blocks":[[1,["p"],["del"],"a",0," ",["code"],"<b>",0,0]],"isCut":false}"#),
        ("    a\n\n---", #"{"blocks":[[1,["pre"],"a\n",0],[3,["hr"],0]],"isCut":false}"#),
        ("[a](/b) ![c](d)", #"{"blocks":[[1,["p"],["a","/b"],"a",0," ",["image","d"],"c",0,0]],"isCut":false}"#),
    ])
    func markdown_isATree(text: String, tree: String) {
        #expect(json(text) == tree)
    }

    @Test(arguments: [
        ("<script>x</script>", #"[1,["p"],"<script>x</script>\n",0]"#),
        ("a <img src=x onerror=y> b", #"[1,["p"],"a <img src=x onerror=y> b",0]"#),
        ("<!-- a -->\n\nb", #"[1,["p"],"<!-- a -->\n",0],[3,["p"],"b",0]"#),
    ])
    func html_isText(text: String, blocks: String) {
        #expect(json(text) == #"{"blocks":[\#(blocks)],"isCut":false}"#)
    }

    /// The page decides by the address as the browser would see it, so nothing in it may be obscured.
    @Test(arguments: [
        "[a](javascript:x)", "[a](&#106;avascript&colon;x)", "[a]( <javascript:x> )", "[a][b]\n\n[b]: javascript:x",
    ])
    func address_isWithoutEscapes(text: String) {
        #expect(json(text).hasPrefix(#"{"blocks":[[1,["p"],["a","javascript:x"],"a",0,0]]"#))
    }

    @Test(arguments: ["> ", "- ", "1. "])
    func elements_areNotDeep(mark: String) throws {
        let tree = MarkdownTree(Array((String(repeating: mark, count: 500) + "x").utf8)).json
        let text = String(decoding: tree, as: UTF8.self)
        #expect(text.count { $0 == "[" } <= MarkdownTree.depthMax + 3)
        #expect(text.contains("\"x\""))
    }

    @Test func longText_isCut() {
        let tree = json(String(repeating: "*a* ", count: MarkdownTree.nodesMax))
        #expect(tree.hasSuffix(#""isCut":true}"#))
        #expect(tree.utf8.count < MarkdownProcess.treeBytesMax)
    }

    @Test func json_isValid() throws {
        let text = "# \u{0}\u{7}\"\\ \u{2028}\n\n| `|` |\n|-|\n\n<b>\n\n- [ ] ![[x](y)](z)"
        _ = try JSONDocument(parsing: MarkdownTree(Array(text.utf8)).json, depthMax: 8)
    }
}
