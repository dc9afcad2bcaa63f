/// A process's CPU time as an SVG: a box for each function, as wide as the time spent in it and its
/// callees, on top of the function that called it. Threads are at the bottom.
///
/// B. Gregg, "The Flame Graph", CACM 59(6), 2016.
struct FlameGraph {
    private final class Node {
        let frame: Perf.Frame
        var count = 0
        var children: [Perf.Frame: Node] = [:]

        init(_ frame: Perf.Frame) {
            self.frame = frame
        }

        var depth: Int { 1 + (children.values.map(\.depth).max() ?? 0) }
    }

    private let title: String
    private let root = Node(Perf.Frame(name: "all", isKernel: false))

    // In pixels.
    private static let (width, rowHeight, top, letter) = (1_200.0, 16.0, 40.0, 6.3)
    /// Boxes narrower than this are omitted, with everything above them.
    private static let narrowest = 1.0

    init(_ stacks: [(stack: [Perf.Frame], count: Int)], title: String) {
        self.title = title
        for (stack, count) in stacks {
            root.count += count
            var node = root
            for frame in stack {
                let child = node.children[frame] ?? Node(frame)
                node.children[frame] = child
                child.count += count
                node = child
            }
        }
    }

    var svg: String {
        let rows = Double(visibleDepth(of: root))
        let height = Self.top + rows * Self.rowHeight + 12
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(height))" role="img" aria-labelledby="title">
            <title id="title">\(SVGText.escaped(title))</title>
            <style>
            svg { background: #ffffff; font: 10.5px ui-monospace, monospace; }
            text { fill: #1f2328; } .title { font: 13px system-ui, sans-serif; }
            rect { fill: #f2b37e; stroke: #ffffff; stroke-width: 0.6; } .kernel rect { fill: #9cc3ee; }
            @media (prefers-color-scheme: dark) {
            svg { background: #0d1117; } .title { fill: #f0f6fc; } rect { stroke: #0d1117; }
            }
            </style>
            <text class="title" x="12" y="24">\(SVGText.escaped(title))</text>
            \(boxes(of: root, at: 0, row: 0, bottom: height - 12).joined(separator: "\n"))
            </svg>

            """
    }

    private func boxWidth(of node: Node) -> Double {
        Double(node.count) / Double(max(1, root.count)) * (Self.width - 24)
    }

    private func visibleDepth(of node: Node) -> Int {
        1 + (node.children.values.filter { boxWidth(of: $0) >= Self.narrowest }.map(visibleDepth).max() ?? 0)
    }

    private func boxes(of node: Node, at x: Double, row: Int, bottom: Double) -> [String] {
        let width = boxWidth(of: node)
        guard width >= Self.narrowest else { return [] }
        let y = bottom - Double(row + 1) * Self.rowHeight
        let share = Double(node.count) / Double(max(1, root.count)) * 100
        let room = Int((width - 4) / Self.letter)
        let name = node.frame.name
        let label = name.count <= room ? name : room > 3 ? name.prefix(room - 1) + "…" : ""
        let text =
            label.isEmpty
            ? ""
            : #"<text x="\#(SVGText.number(x + 14))" y="\#(SVGText.number(y + 11.5))">\#(SVGText.escaped(String(label)))</text>"#
        var boxes = [
            """
            <g\(node.frame.isKernel ? " class=\"kernel\"" : "")><title>\(SVGText.escaped(name)): \(SVGText.number(share)) %</title>\
            <rect x="\(SVGText.number(x + 12))" y="\(SVGText.number(y))" width="\(SVGText.number(width))" \
            height="\(SVGText.number(Self.rowHeight))"/>\(text)</g>
            """
        ]
        var place = x
        for child in node.children.values.sorted(by: { $0.frame.name < $1.frame.name }) {
            boxes += self.boxes(of: child, at: place, row: row + 1, bottom: bottom)
            place += boxWidth(of: child)
        }
        return boxes
    }
}
