/// Lines of the text of a branch.
extension Walk {
    /// Whether a branch's kept sequence ends with LF.
    func endsWithLineFeed(_ branch: Int) -> Bool {
        let length = branches[branch].visibleBytes
        return length > 0 && byte(atVisible: length - 1, in: branch) == lineFeed
    }

    /// The visible bytes of a branch up to an item, including the item itself.
    func visibleBytes(through item: Item, in branch: Int) -> Int {
        let before = visibleBytes(before: position(of: item), in: branch)
        return before + (isVisible(run(holding: item), in: branch) ? 1 : 0)
    }

    /// The start of the line that contains a gap of a branch's text.
    func lineStart(before offset: Int, in branch: Int) -> Int {
        guard offset > 0 else { return 0 }
        let end = position(ofVisible: offset - 1, in: branch)
        var gap = end.run
        gap.index += 1
        var start = offset
        var isFirst = true
        while let run = sequence.run(before: &gap) {
            guard isVisible(run, in: branch) else { continue }
            let content = isFirst ? content(of: run).prefix(end.offset + 1) : content(of: run)
            isFirst = false
            if let feed = content.lastIndex(of: lineFeed) { return start - (content.endIndex - feed - 1) }
            start -= content.count
        }
        return 0
    }

    /// The end of the line that contains a gap of a branch's text, after its LF; the gap itself if
    /// it is at the start of a line.
    func lineEnd(after offset: Int, in branch: Int) -> Int {
        guard offset > 0, offset < branches[branch].visibleBytes else { return offset }
        let before = position(ofVisible: offset - 1, in: branch)
        var gap = before.run
        guard var run = sequence.run(at: &gap), content(of: run).dropFirst(before.offset).first != lineFeed else {
            return offset
        }
        var end = offset
        var rest = content(of: run).dropFirst(before.offset + 1)
        while true {
            if let feed = rest.firstIndex(of: lineFeed) { return end + (feed - rest.startIndex + 1) }
            end += rest.count
            repeat {
                gap.index += 1
                guard let next = sequence.run(at: &gap) else { return end }
                run = next
            } while !isVisible(run, in: branch)
            rest = content(of: run)
        }
    }
}
