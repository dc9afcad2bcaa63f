import Dependents
import NotesModel

/// What one turn has for the connections, in the order in which they were first mentioned.
struct Mail {
    private var indexes: [DependentID: Int] = [:]
    private var letters: [Letter] = []

    private struct Letter {
        let dependent: DependentID
        var answers: [NumberedResponse] = []
        var notifications: [WatchNotification] = []
        var presences: [PresenceLine] = []
        var isCutShort = false
    }

    var isEmpty: Bool { letters.isEmpty }

    var parcels: [Parcel] {
        letters.map { letter in
            Parcel(
                dependent: letter.dependent, answers: letter.answers, notifications: letter.notifications, presences: letter.presences,
                isCutShort: letter.isCutShort)
        }
    }

    mutating func answer(_ answer: Response, requestNumber: UInt64, to dependent: DependentID) {
        letters[index(of: dependent)].answers.append(NumberedResponse(requestNumber: requestNumber, answer: answer))
    }

    mutating func deliver(_ notifications: [WatchNotification], _ presences: [PresenceLine], to dependent: DependentID) {
        let index = index(of: dependent)
        letters[index].notifications.append(contentsOf: notifications)
        letters[index].presences.append(contentsOf: presences)
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
