import NotesModel
import PageDevices
import Testing

/// Links, devices, and the file that has them.
struct DeviceBookTests {
    private let day: Int64 = 86_400
    private var now: Int64 { 1_800_000_000 }

    private func signedIn(
        _ rights: DeviceRights = DeviceRights(), name: String? = "phone"
    ) throws -> (DeviceBook, Device, cookie: [UInt8]) {
        var book = DeviceBook()
        let (key, cookie) = (Secret.random(), Secret.random())
        book.take(link: key, name: name, rights, at: now)
        let device = book.signIn(key: key, name: nil, cookie: cookie, address: "127.0.0.1", at: now)
        return (book, try #require(device), cookie)
    }

    @Test func link_signsOneDeviceIn() throws {
        var book = DeviceBook()
        let key = Secret.random()
        book.take(link: key, name: nil, DeviceRights(), at: now)
        let first = book.signIn(key: key, name: "Firefox on Linux", cookie: Secret.random(), address: "", at: now + 599)
        #expect(first?.name == "Firefox on Linux")
        let device1 = book.signIn(key: key, name: nil, cookie: Secret.random(), address: "", at: now + 599)
        #expect(device1 == nil)
    }

    @Test func link_endsAfterTenMinutes() {
        var book = DeviceBook()
        let key = Secret.random()
        book.take(link: key, name: nil, DeviceRights(), at: now)
        let device2 = book.signIn(key: key, name: nil, cookie: Secret.random(), address: "", at: now + 600)
        #expect(device2 == nil)
    }

    @Test func cookie_isForgottenAfterNinetyUnusedDays() throws {
        var (book, device, cookie) = try signedIn()
        #expect(book.device(cookie: cookie, at: now + 90 * day - 1) == device)
        #expect(book.device(cookie: cookie, at: now + 90 * day) == nil)
        let isNoted = book.use(device, from: "::1", at: now + 80 * day)
        #expect(isNoted)
        #expect(book.device(cookie: cookie, at: now + 169 * day)?.name == "phone")
        #expect(book.device(cookie: Secret.random(), at: now) == nil)
    }

    @Test func use_isNotedOnceAnHour() throws {
        var (book, device, _) = try signedIn()
        let seen = [0, 3_599, 3_600, 3_601].map { book.use(device, from: "127.0.0.1", at: now + $0) }
        #expect(seen == [false, false, true, false])
    }

    @Test func rightsEndAtTheirTime() throws {
        let (book, _, cookie) = try signedIn(DeviceRights(isReadOnly: true, until: now + 100))
        #expect(book.device(cookie: cookie, at: now + 99)?.rights.isReadOnly == true)
        #expect(book.device(cookie: cookie, at: now + 100) == nil)
    }

    @Test func revokedName_signsOutItsDeviceAndItsLinks() throws {
        var (book, _, cookie) = try signedIn()
        let key = Secret.random()
        book.take(link: key, name: "phone", DeviceRights(), at: now)
        let isRevoked = book.revoke("phone")
        #expect(isRevoked)
        #expect(book.device(cookie: cookie, at: now) == nil)
        let device3 = book.signIn(key: key, name: nil, cookie: Secret.random(), address: "", at: now)
        #expect(device3 == nil)
        let isRevokedAgain = book.revoke("phone")
        #expect(!isRevokedAgain)
    }

    private static let notes = (
        NoteID(parsing: "019ad0aa-0000-7000-8000-000000000001".utf8), NoteID(parsing: "019ad0aa-0000-7000-8000-000000000002".utf8)
    )

    @Test func guestsWhoType_andGuestsWithPictures_areOfDifferentNotes() throws {
        let (one, two) = Self.notes
        let typing = DeviceRights(note: one)
        let seeing = DeviceRights(isReadOnly: true, note: one, hasPictures: true)
        for (first, second) in [(typing, seeing), (seeing, typing)] {
            var book = DeviceBook()
            let key = Secret.random()
            book.take(link: key, name: "bob", first, at: now)
            #expect(book.guest(against: second, at: now) == "bob")
            #expect(book.guest(against: second, at: now + 600) == nil)
            let device = book.signIn(key: key, name: nil, cookie: Secret.random(), address: "", at: now)
            #expect(device?.rights == first)
            #expect(book.guest(against: second, at: now + 600) == "bob")
            #expect(book.guest(against: first, at: now) == nil)
            #expect(book.guest(against: DeviceRights(isReadOnly: true, note: one), at: now) == nil)
            #expect(
                book.guest(against: DeviceRights(isReadOnly: second.isReadOnly, note: two, hasPictures: true), at: now) == nil)
            #expect(book.guest(against: DeviceRights(), at: now) == nil)
            _ = book.revoke("bob")
            #expect(book.guest(against: second, at: now) == nil)
        }
    }

    @Test func pictures_areForGuestsWhoRead() {
        let note = Self.notes.0
        #expect(DeviceRights(isReadOnly: true, note: note, hasPictures: true).isGuestWithPictures)
        for rights in [
            DeviceRights(note: note, hasPictures: true), DeviceRights(isReadOnly: true, hasPictures: true),
            DeviceRights(isReadOnly: true, note: note),
        ] {
            #expect(!rights.isGuestWithPictures)
        }
    }

    @Test func names_areUnlike() throws {
        var (book, _, _) = try signedIn()
        let names = (0..<2).map { _ in
            let key = Secret.random()
            _ = book.add(link: key, name: nil, DeviceRights(), at: now)
            return book.signIn(key: key, name: "phone", cookie: Secret.random(), address: "", at: now)?.name
        }
        #expect(names == ["phone 2", "phone 3"])
    }

    @Test(arguments: [
        ("ada's phone", "ada's phone"), (" a/b\u{202e}c\u{1b}[31m ", "abc[31m"), ("\n\t", nil), ("", nil),
        (String(repeating: "ä", count: 40), String(repeating: "ä", count: 32)),
    ])
    func typedName_hasNothingHidden(typed: String, name: String?) {
        #expect(DeviceBook.name(typed) == name)
    }

    @Test func devices_areLimited() {
        var book = DeviceBook()
        let added = (0..<101).map { _ in book.add(link: Secret.random(), name: nil, DeviceRights(), at: now) }
        #expect(added.filter { $0 }.count == 100)
        // Links that ended make room.
        book.take(link: Secret.random(), name: nil, DeviceRights(), at: now + 600)
    }

    @Test func secrets_areReadAsWritten() {
        for _ in 0..<200 {
            let secret = Secret.random()
            #expect(Secret.bytes(hexadecimal: Secret.hexadecimal(secret)) == secret)
        }
        for text in [
            "", "a", String(repeating: "a", count: 63), String(repeating: "a", count: 63) + "A",
            String(repeating: "+a", count: 32),
        ] {
            #expect(Secret.bytes(hexadecimal: text) == nil)
        }
    }
}

extension DeviceBook {
    fileprivate mutating func take(link key: [UInt8], name: String?, _ rights: DeviceRights, at now: Int64) {
        let isAdded = add(link: key, name: name, rights, at: now)
        #expect(isAdded)
    }
}
