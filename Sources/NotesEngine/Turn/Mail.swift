import Dependents
import NotesModel

/// The output of one turn, by connection, in the order in which connections were first added.
struct Mail {
    private var indexes: [DependentID: Int] = [:]
    private var letters: [Letter] = []

    /// The output for one connection.
    private struct Letter {
        let dependent: DependentID
        var responses: [NumberedResponse] = []
        var notifications: [WatchNotification] = []
        var presences: [PresenceLine] = []
        var isCutShort = false
    }

    var isEmpty: Bool { letters.isEmpty }

    /// The output as parcels for the `OutputSink`.
    var parcels: [Parcel] {
        letters.map { letter in
            Parcel(
                dependent: letter.dependent, responses: letter.responses, notifications: letter.notifications,
                presences: letter.presences,
                isCutShort: letter.isCutShort)
        }
    }

    /// Adds a response.
    mutating func respond(_ response: Response, requestNumber: UInt64, to dependent: DependentID) {
        letters[index(of: dependent)].responses.append(NumberedResponse(requestNumber: requestNumber, response: response))
    }

    /// Adds lines of watches and presence lines.
    mutating func deliver(_ notifications: [WatchNotification], _ presences: [PresenceLine], to dependent: DependentID) {
        let index = index(of: dependent)
        letters[index].notifications.append(contentsOf: notifications)
        letters[index].presences.append(contentsOf: presences)
    }

    /// Marks a connection to be closed after its lines.
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
