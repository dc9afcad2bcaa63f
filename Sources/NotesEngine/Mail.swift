import NotesModel

/// What one turn has for the connections, in the order in which they were first mentioned.
struct Mail {
    private var indexes: [DependentID: Int] = [:]
    private var letters: [Letter] = []

    private struct Letter {
        let dependent: DependentID
        var answers: [TicketedAnswer] = []
        var notices: [Notice] = []
        var isCutShort = false
    }

    var isEmpty: Bool { letters.isEmpty }

    var parcels: [Parcel] {
        letters.map { letter in
            Parcel(
                dependent: letter.dependent, answers: letter.answers, notices: letter.notices, isCutShort: letter.isCutShort)
        }
    }

    mutating func answer(_ answer: Answer, ticket: UInt64, to dependent: DependentID) {
        letters[index(of: dependent)].answers.append(TicketedAnswer(ticket: ticket, answer: answer))
    }

    mutating func tell(_ notices: [Notice], to dependent: DependentID) {
        letters[index(of: dependent)].notices.append(contentsOf: notices)
    }

    mutating func cutShort(_ dependent: DependentID) {
        letters[index(of: dependent)].isCutShort = true
    }

    private mutating func index(of dependent: DependentID) -> Int {
        if let index = indexes[dependent] { return index }
        indexes[dependent] = letters.count
        letters.append(Letter(dependent: dependent))
        return letters.count - 1
    }
}
