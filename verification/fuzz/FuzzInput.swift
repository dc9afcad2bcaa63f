/// The input of libFuzzer, read as choices from the start; 0 past the end.
struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    init(_ data: UnsafePointer<UInt8>?, _ size: Int) {
        rest = Array(UnsafeBufferPointer(start: data, count: size))[...]
    }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number in `0..<bound`, of one byte; 0 if the bound is 0.
    mutating func below(_ bound: Int) -> Int {
        bound <= 0 ? 0 : Int(byte()) % bound
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

    mutating func all() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// Ascending disjoint ranges of a text of that length, each with some bytes of an alphabet.
    mutating func edits(of length: Int, atMost count: Int, inserting alphabet: [UInt8]) -> [Edit] {
        var edits: [Edit] = []
        var least = 0
        for _ in 0..<below(count + 1) {
            let start = least + below(length - least + 1)
            let end = start + below(min(length - start, 9) + 1)
            edits.append(Edit(start: start, end: end, replacement: (0..<below(4)).map { _ in pick(alphabet) }))
            least = end
        }
        return edits
    }
}
