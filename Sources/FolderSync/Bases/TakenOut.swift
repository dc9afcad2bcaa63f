import TextMerge

/// R8: whether X lacks lines of programs because its writer had them and took them out or altered them,
/// and not because it never saw them.
///
/// Another program's text that the writer never saw, and a user who takes back what they have just
/// saved, leave the same bytes. So the rule asks where lines are missing, and what else has changed.
struct TakenOut {
    private let rule: BaseRule
    /// The missing lines, with the index of the text that brought them.
    private let missing: [LineMarks.Line: Int]
    /// The index of the text that is compared with X.
    private let index: Int
    private let texts: KeptTexts

    init(_ rule: BaseRule, _ missing: [LineMarks.Line: Int], from index: Int, _ texts: KeptTexts) {
        (self.rule, self.missing, self.index, self.texts) = (rule, missing, index, texts)
    }

    /// A place with missing lines.
    private struct Place {
        /// Positions of the missing lines in the compared text.
        let missing: [Int]
        /// Positions of the lines of X with letters that no text before the compared one has.
        let new: [Int]
    }

    var fit: Fitting.Fit {
        if rule.text.lines.isEmpty || isOlderText { return .yes }
        let (places, isChangedElsewhere) = places
        // No new lines took the place of these lines, so they do not go on. This needs no text.
        let gone = places.count { $0.new.isEmpty }
        if gone > 1 || gone == 1 && isChangedElsewhere { return .no }
        return fit(places, isChangedElsewhere)
    }

    /// Whether X equals an older text of the list.
    private var isOlderText: Bool {
        rule.shown.entries.dropLast().contains { $0.kind != .noFile && $0.text == rule.text }
    }

    /// The places with missing lines, and whether X has a change elsewhere.
    private var places: ([Place], isChangedElsewhere: Bool) {
        var places: [Place] = []
        let there = rule.shown.entries[index].text.lines
        let hunks = rule.diff(there, rule.text.lines)
        for hunk in hunks {
            let lacks = hunk.old.filter { missing[there[$0]] != nil }
            let new = hunk.new.filter { position in
                let line = rule.text.lines[position]
                return line.hasLetter && rule.birth[line, default: index] >= index
            }
            if !lacks.isEmpty { places.append(Place(missing: lacks, new: new)) }
        }
        return (places, places.count < hunks.count)
    }

    private func fit(_ places: [Place], _ isChangedElsewhere: Bool) -> Fitting.Fit {
        let entries = rule.shown.entries
        var (gone, goneAt, alteredBirths): (Set<LineMarks.Line>, Int, Set<Int>) = ([], 0, [])
        for place in places {
            let goesOn: [Bool]
            switch goingOn(place) {
            case .known(let known): goesOn = known
            case .unreadable: return .no
            case .needs(let index): return .needs(index)
            }
            var off: [LineMarks.Line] = []
            for (position, goesOn) in zip(place.missing, goesOn) {
                let line = entries[index].text.lines[position]
                if goesOn { alteredBirths.insert(missing[line, default: index]) } else { off.append(line) }
            }
            if off.isEmpty { continue }
            // R8 a: quite other lines took the place of the missing ones.
            if !place.new.isEmpty, off.count == place.missing.count { return .no }
            goneAt += 1
            gone.formUnion(off)
        }
        if gone.isEmpty { return .yes }
        // R8 b: the missing lines that do not go on were at one place, and nothing else has changed.
        if isChangedElsewhere || goneAt > 1 { return .no }
        // R8 c: a line that is altered was had with the text that brought it, and with no more. A text that
        // a program wrote later without the line, not having seen it, says where it is missing from.
        let isHad = gone.allSatisfy { line in
            alteredBirths.allSatisfy { rule.counts[$0][line] != nil }
                && (missing[line, default: index]..<index)
                    .allSatisfy { entries[$0].kind != .program || rule.counts[$0][line] != nil }
        }
        return isHad ? .yes : .no
    }

    private enum GoingOn {
        /// One for each missing line of the place.
        case known([Bool])
        case unreadable
        case needs(Int)
    }

    /// Which missing lines of a place go on in its new lines.
    private func goingOn(_ place: Place) -> GoingOn {
        if place.new.isEmpty { return .known(place.missing.map { _ in false }) }
        let there: [ArraySlice<UInt8>]
        switch lines(of: index) {
        case .read(let lines): there = lines
        case .notRead: return .needs(index)
        case .unreadable: return .unreadable
        }
        let new = place.new.map { Letters.characters(rule.lines[$0]) }
        var known: [Bool] = []
        for position in place.missing {
            let former: [[Unicode.Scalar]]
            let brought = missing[rule.shown.entries[index].text.lines[position], default: index]
            switch replaced(by: brought) {
            case .read(let lines): former = lines.map { Letters.characters($0) }
            case .notRead: return .needs(rule.shown.before(brought) ?? brought)
            case .unreadable: return .unreadable
            }
            known.append(Letters.goesOn(Letters.characters(there[position]), in: new, former: former))
        }
        return .known(known)
    }

    /// The lines that the step to a text took out.
    private func replaced(by index: Int) -> KeptTexts.Lines {
        guard let before = rule.shown.before(index) else { return .read([]) }
        let marks = rule.shown.entries[before].text.lines
        let positions = marks.indices.filter { rule.counts[index][marks[$0]] == nil }
        if positions.isEmpty { return .read([]) }
        guard case .read(let lines) = lines(of: before) else { return lines(of: before) }
        return .read(positions.map { lines[$0] })
    }

    private func lines(of index: Int) -> KeptTexts.Lines {
        texts.lines(of: rule.shown.entries[index], number: rule.shown.firstNumber + index)
    }
}
