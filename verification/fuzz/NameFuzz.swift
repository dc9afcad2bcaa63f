/// The names that a note may have, defined by Unicode scalars and not by bytes.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    // Repeats the input, so that long names need no long input.
    let times = [1, 1, 8, 40][input.below(4)]
    let piece = input.all()
    guard let name = ByteString(checkedUTF8: (0..<times).flatMap { _ in piece }) else { return 0 }
    do {
        let taken = try NoteName(name)
        precondition(mayName(name.description), "an invalid name is refused")
        precondition(taken.bytes == name, "a name is kept byte for byte")
    } catch {
        precondition(!mayName(name.description), "a valid name is accepted")
        if case .controlCharacter(let offset) = error {
            let before = String(decoding: name.utf8[..<offset], as: UTF8.self)
            precondition(before.utf8.count == offset && !hasControls(before), "the offset is that of the first control character")
        }
        precondition(!error.description.isEmpty, "a refusal has a description")
    }
    return 0
}

private func hasControls(_ name: String) -> Bool {
    name.unicodeScalars.contains { $0.properties.generalCategory == .control }
}

private func mayName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name.utf8.count <= 1_024 && !hasControls(name)
        && parts.allSatisfy { (1...255).contains($0.count) && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
}
