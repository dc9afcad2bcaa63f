import Console
import NoteTasks
import NoteText
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
        /// No question, but the reason why Enter opened nothing. Only Esc ends it, so that what the
        /// user types for a note does not become a search.
        case nothingOpened(String)
    }

    let subject: Subject
    var line = SearchLine()

    /// Whether the question needs no text.
    var asksOnly: Bool {
        switch subject {
        case .createFromSearch, .nothingOpened: true
        case .create, .rename: false
        }
    }

    var label: String {
        switch subject {
        case .create: "name of the new note (empty for none): "
        case .createFromSearch(let name): "no note matches; Enter creates \(SafeText.quoted(name.description)), Esc does not"
        case .rename(let head): "new name of \(SafeText.line(NoteLabel.of(head))): "
        case .nothingOpened(let reason): "Enter opens nothing: \(reason); Esc goes back"
        }
    }
}

extension Browser {
    mutating func pressInPrompt(_ key: Key, _ prompt: BrowserPrompt) {
        var prompt = prompt
        if prompt.asksOnly { return pressInQuestion(key, prompt) }
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

    /// Takes Enter and Esc. A user who types here does not see the question, so a later Enter does
    /// not answer it.
    private mutating func pressInQuestion(_ key: Key, _ prompt: BrowserPrompt) {
        switch (key, prompt.subject) {
        case (.escape, _): self.prompt = nil
        case (.enter, .createFromSearch(let name)):
            self.prompt = nil
            requests.append(.create(name))
        case (.character, .createFromSearch), (.paste, .createFromSearch):
            self.prompt = BrowserPrompt(subject: .nothingOpened("no note matches"))
        default: break
        }
    }

    private mutating func answer(_ prompt: BrowserPrompt) {
        self.prompt = nil
        let text = prompt.line.text
        do {
            if case .rename(let head) = prompt.subject {
                if !text.isEmpty { change(head.id, .rename(head, try NoteName(ByteString(text)).description)) }
            } else {
                requests.append(.create(text.isEmpty ? nil : try NoteName(ByteString(text))))
            }
        } catch {
            (message, self.prompt) = ("\(SafeText.quoted(text)): \(error)", prompt)
        }
    }

    /// Asks whether to create a note whose name is the search, which found nothing.
    mutating func offerNote() {
        guard isFiltered || !waiting.isEmpty else {
            forgetEnter()
            message = "there is no note yet; n in the list creates one"
            return
        }
        guard waiting.isEmpty, let name = listing.query?.name else { return openNothing("no note matches") }
        forgetEnter()
        prompt = BrowserPrompt(subject: .createFromSearch(name))
    }
}
