import CMarkdown
import Glibc
import StrictJSON

/// A note as the page shows it to a reader: a list of blocks, which the page makes elements of. It contains no HTML;
/// HTML in the note is text.
///
/// It is JSON: `{"blocks": [[LINE, STEP, …], …], "isCut": BOOL}`. LINE is the number of the block's first line, from 1. A step is
/// a text, an array that opens an element, `[KIND, ARGUMENT?]`, or 0, which closes it. The page has a table of kinds.
struct MarkdownTree {
    private enum Step {
        case text([UInt8])
        case open(StaticString, Argument)
        case close
    }

    private enum Argument {
        case none
        case number(Int)
        case text([UInt8])
    }

    /// Most elements inside each other. The content of deeper ones is in the last.
    static let depthMax = 40
    /// Most elements and texts. The rest of the note is left out.
    static let nodesMax = 40_000

    private var blocks: [(line: Int, steps: [Step])] = []
    /// Whether the end of each open node of cmark closes an element.
    private var opened: [Bool] = []
    private var depth = 0
    private var nodes = 0
    private var isCut = false

    /// Parses a text. The time is quadratic for some texts.
    ///
    /// - Parameter text: UTF-8.
    init(_ text: [UInt8]) {
        cmark_gfm_core_extensions_ensure_registered()
        let parser = cmark_parser_new(CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8)
        defer { cmark_parser_free(parser) }
        for name in ["table", "strikethrough", "tasklist", "autolink"] {
            if let found = cmark_find_syntax_extension(name) { cmark_parser_attach_syntax_extension(parser, found) }
        }
        text.withUnsafeBytes { bytes in
            cmark_parser_feed(parser, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        guard let document = cmark_parser_finish(parser), let iterator = cmark_iter_new(document) else { return }
        defer {
            cmark_iter_free(iterator)
            cmark_node_free(document)
        }
        while !isCut {
            let event = cmark_iter_next(iterator)
            guard event != CMARK_EVENT_DONE, let node = cmark_iter_get_node(iterator) else { break }
            guard node != document else { continue }
            if event == CMARK_EVENT_ENTER { enter(node, in: document) } else { leave() }
        }
        while !opened.isEmpty { leave() }
    }

    // MARK: Nodes

    private mutating func enter(_ node: OpaquePointer, in document: OpaquePointer) {
        nodes += 1
        guard nodes <= Self.nodesMax else {
            isCut = true
            return
        }
        if cmark_node_parent(node) == document { blocks.append((Int(cmark_node_get_start_line(node)), [])) }
        let kind = String(cString: cmark_node_get_type_string(node))
        switch kind {
        case "text", "html_inline": put(Self.bytes(cmark_node_get_literal(node)))
        case "softbreak": put([UInt8(ascii: "\n")])
        case "linebreak": leaf("br")
        case "thematic_break": leaf("hr")
        case "code": leaf("code", content: Self.bytes(cmark_node_get_literal(node)))
        case "code_block": leaf("pre", content: Self.bytes(cmark_node_get_literal(node)))
        case "html_block": leaf("p", content: Self.bytes(cmark_node_get_literal(node)))
        default: enterContainer(node, kind)
        }
    }

    private mutating func enterContainer(_ node: OpaquePointer, _ kind: String) {
        switch kind {
        case "paragraph": if Self.isInTightList(node) { opened.append(false) } else { open("p") }
        case "heading": open("h", .number(Int(cmark_node_get_heading_level(node))))
        case "block_quote": open("blockquote")
        case "list":
            if cmark_node_get_list_type(node) == CMARK_ORDERED_LIST {
                open("ol", .number(Int(cmark_node_get_list_start(node))))
            } else {
                open("ul")
            }
        case "item": open("li")
        case "tasklist": open("task", .number(cmark_gfm_extensions_get_tasklist_item_checked(node) ? 1 : 0))
        case "emph": open("em")
        case "strong": open("strong")
        case "strikethrough": open("del")
        case "link": open("a", .text(Self.bytes(cmark_node_get_url(node))))
        case "image": open("image", .text(Self.bytes(cmark_node_get_url(node))))
        case "table": open("table")
        case "table_header": open("head")
        case "table_row": open("row")
        case "table_cell": open("cell", .number(Self.alignment(ofCell: node)))
        default: opened.append(false)
        }
    }

    private static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
        text.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
    }

    /// Whether a paragraph is in a list without blank lines, where it needs no element of its own.
    private static func isInTightList(_ paragraph: OpaquePointer) -> Bool {
        guard let item = cmark_node_parent(paragraph), let list = cmark_node_parent(item) else { return false }
        return cmark_node_get_list_tight(list) != 0
    }

    /// 0 for none, 1 for the centre, 2 for the right.
    private static func alignment(ofCell cell: OpaquePointer) -> Int {
        guard let table = cmark_node_parent(cmark_node_parent(cell)),
            let alignments = cmark_gfm_extensions_get_table_alignments(table)
        else { return 0 }
        var column = 0
        var before = cmark_node_previous(cell)
        while before != nil, column < 64 {
            column += 1
            before = cmark_node_previous(before)
        }
        guard column < Int(cmark_gfm_extensions_get_table_columns(table)) else { return 0 }
        return switch alignments[column] {
        case UInt8(ascii: "c"): 1
        case UInt8(ascii: "r"): 2
        default: 0
        }
    }

    // MARK: Steps

    private mutating func put(_ step: Step) {
        guard !blocks.isEmpty else { return }
        blocks[blocks.count - 1].steps.append(step)
    }

    /// Adds a text, to the one before it if there is one.
    private mutating func put(_ text: [UInt8]) {
        guard !blocks.isEmpty, !text.isEmpty else { return }
        let last = blocks.count - 1
        if case .text(let before)? = blocks[last].steps.last {
            blocks[last].steps.removeLast()
            blocks[last].steps.append(.text(before + text))
        } else {
            blocks[last].steps.append(.text(text))
        }
    }

    private mutating func open(_ kind: StaticString, _ argument: Argument = .none) {
        let isOpen = depth < Self.depthMax
        opened.append(isOpen)
        guard isOpen else { return }
        depth += 1
        put(.open(kind, argument))
    }

    private mutating func leave() {
        guard opened.popLast() ?? false else { return }
        depth -= 1
        put(.close)
    }

    private mutating func leaf(_ kind: StaticString, content: [UInt8] = []) {
        open(kind)
        put(content)
        leave()
    }

    // MARK: JSON

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { tree in
            tree.name("blocks")
            tree.array { list in
                for block in blocks {
                    list.array { steps in
                        steps.integer(block.line)
                        for step in block.steps { Self.write(step, to: &steps) }
                    }
                }
            }
            tree.member("isCut", isCut)
        }
        return writer.bytes
    }

    private static func write(_ step: Step, to writer: inout JSONWriter) {
        switch step {
        case .text(let text): writer.string(text)
        case .close: writer.integer(0)
        case .open(let kind, let argument):
            writer.array { element in
                element.string(kind)
                switch argument {
                case .none: break
                case .number(let number): element.integer(number)
                case .text(let text): element.string(text)
                }
            }
        }
    }
}
