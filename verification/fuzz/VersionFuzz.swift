/// The text form of versions, dots and ids: the parser accepts exactly the grammar, and writing
/// gives the text that was read.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    if input.byte() & 1 == 0 {
        checkText(input.all())
    } else {
        checkNumbers(&input)
    }
    return 0
}

private func checkText(_ text: [UInt8]) {
    let parts = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let isVersion = text.isEmpty || parts.allSatisfy(isDot)
    let version = Version(parsing: text)
    precondition((version != nil) == isVersion, "a version is dots with one space between, or nothing")
    precondition((Dot(parsing: text) != nil) == isDot(text[...]), "a dot is a replica, a colon and a counter")
    precondition((ReplicaID(parsing: text) != nil) == isHex(text[...], digits: 16), "a replica is 16 digits")
    precondition((ConflictID(parsing: text) != nil) == isHex(text[...], digits: 32), "a conflict's id is 32 digits")
    if let id = ConflictID(parsing: text) { precondition(Array(id.description.utf8) == text, "an id is written as it was read") }
    guard let version else { return }
    let dots = text.isEmpty ? [] : Set(parts.map(Array.init)).sorted { order($0).lexicographicallyPrecedes(order($1)) }
    let written = Array(dots.joined(separator: [UInt8(ascii: " ")]))
    precondition(Array(version.description.utf8) == written, "a version is written sorted, each dot once")
    precondition(Version(parsing: written) == version, "writing and reading give the same version")
}

/// Independent of the parser: 16 hexadecimal digits, a colon, 1 to 2^63 - 1 without a leading zero.
private func isDot(_ text: ArraySlice<UInt8>) -> Bool {
    let counter = text.dropFirst(17)
    let max = Array("9223372036854775807".utf8)
    return isHex(text.prefix(16), digits: 16) && text.dropFirst(16).first == UInt8(ascii: ":") && !counter.isEmpty
        && counter.allSatisfy { "0123456789".utf8.contains($0) } && counter.first != UInt8(ascii: "0")
        && (counter.count < max.count || counter.count == max.count && !max.lexicographicallyPrecedes(Array(counter)))
}

private func isHex(_ text: ArraySlice<UInt8>, digits: Int) -> Bool {
    text.count == digits && text.allSatisfy { "0123456789abcdef".utf8.contains($0) }
}

/// The replica as text, then the counter by length and digits: the order of the numbers.
private func order(_ dot: [UInt8]) -> [UInt8] {
    Array(dot.prefix(17)) + [UInt8(dot.count)] + Array(dot.dropFirst(17))
}

private func checkNumbers(_ input: inout FuzzInput) {
    var dots: [Dot] = []
    while !input.isEmpty, dots.count < 8 {
        let replica = input.bytes(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let counter = input.bytes(1 + input.below(8)).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        dots.append(Dot(ReplicaID(bits: replica), min(max(counter, 1), Dot.counterMax)))
    }
    let version = Version(dots)
    precondition(version.dots == Set(dots).sorted(), "dots are held sorted, once each")
    precondition(Version(parsing: Array(version.description.utf8)) == version, "writing and reading give the same version")
    for dot in dots { precondition(Dot(parsing: Array(dot.description.utf8)) == dot, "a dot is read as it was written") }
    let reversed = dots.reversed().map(\.description).joined(separator: " ")
    precondition(Version(parsing: Array(reversed.utf8)) == version, "dots are read in any order")
}
