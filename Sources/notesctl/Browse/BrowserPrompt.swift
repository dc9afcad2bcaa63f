import NotesModel

/// A question in the row of messages.
struct BrowserPrompt {
    enum Subject {
        /// The name of a new note.
        case create
        /// Whether to create a note whose name is the search.
        case createFromSearch(NoteName)
        /// The new name of a note.
        case rename(Head)
    }

    let subject: Subject
    var line = SearchLine()

    /// Whether the question needs no text.
    var asksOnly: Bool { if case .createFromSearch = subject { true } else { false } }

    var label: String {
        switch subject {
        case .create: "name of the new note (empty for none): "
        case .createFromSearch(let name): "no note matches; Enter creates \(SafeText.quoted(name.description)), Esc does not"
        case .rename(let head): "new name of \(SafeText.line(NoteLabel.of(head))): "
        }
    }
}

extension Browser {
    mutating func pressInPrompt(_ key: Key, _ prompt: BrowserPrompt) {
        var prompt = prompt
        switch key {
        case .character(let character): prompt.line.insert(String(character))
        case .paste(let text): prompt.line.insert(String(decoding: text, as: UTF8.self))
        case .backspace: _ = prompt.line.delete()
        case .delete: _ = prompt.line.delete(isForward: true)
        case .left: prompt.line.moveCaret(by: -1)
        case .right: prompt.line.moveCaret(by: 1)
        case .enter: return answer(prompt)
        case .escape:
            self.prompt = nil
            return
        default: break
        }
        self.prompt = prompt
    }

    private mutating func answer(_ prompt: BrowserPrompt) {
        self.prompt = nil
        if case .createFromSearch(let name) = prompt.subject { return requests.append(.create(name)) }
        let text = prompt.line.text
        do {
            if case .rename(let head) = prompt.subject {
                if !text.isEmpty { requests.append(.rename(head, try NoteName(ByteString(text)).description)) }
            } else {
                requests.append(.create(text.isEmpty ? nil : try NoteName(ByteString(text))))
            }
        } catch {
            (message, self.prompt) = ("\(SafeText.quoted(text)): \(error)", prompt)
        }
    }

    /// Asks whether to create a note whose name is the search, which found nothing.
    mutating func offerNote() {
        guard isFiltered, let name = try? NoteName(ByteString(line.text)) else {
            message = isFiltered ? "no note matches" : "there is no note yet; n creates one"
            return
        }
        prompt = BrowserPrompt(subject: .createFromSearch(name))
    }
}
