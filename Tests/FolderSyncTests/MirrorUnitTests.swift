import TestKit
import Testing

@testable import FolderSync

/// Tests of the names of mirrors' units.
struct MirrorUnitTests {
    @Test(arguments: [
        ("/home/ada/Notes", "home-ada-Notes"), ("/", "-"), ("/a-b/.c/d.e", "a\\x2db-.c-d.e"), ("/.hidden", "\\x2ehidden"),
        ("/a b/ä%", "a\\x20b-\\xc3\\xa4\\x25"), ("/x:y_z\\\n", "x:y_z\\x5c\\x0a"),
    ])
    func name_isEscapedAsSystemdEscapes(path: String, instance: String) {
        #expect(MirrorUnit(folder: Array(path.utf8))?.name == "notesd-mirror@\(instance).service")
    }

    /// Unescapes names as systemd does for `%f`.
    private func unescaped(_ name: String) -> [UInt8] {
        let instance = Array(name.dropFirst("notesd-mirror@".count).dropLast(".service".count).utf8)
        if instance == [UInt8(ascii: "-")] { return [UInt8(ascii: "/")] }
        var path = [UInt8(ascii: "/")]
        var index = 0
        while index < instance.count {
            if instance[index] == UInt8(ascii: "\\") {
                path.append(UInt8(String(decoding: instance[(index + 2)..<(index + 4)], as: UTF8.self), radix: 16) ?? 0)
                index += 4
            } else {
                path.append(instance[index] == UInt8(ascii: "-") ? UInt8(ascii: "/") : instance[index])
                index += 1
            }
        }
        return path
    }

    @Test(arguments: seeds(50))
    func name_namesItsFolder_unlessItIsTooLong(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let parts = (0..<(1 + random.below(4))).map { _ in
                [UInt8(ascii: "x")]
                    + (0..<random.below(20)).map { _ in UInt8(1 + random.below(255)) }.filter { $0 != UInt8(ascii: "/") }
            }
            let path = Array(parts.map { [UInt8(ascii: "/")] + $0 }.joined())
            guard let unit = MirrorUnit(folder: path) else {
                #expect(path.count * 4 > 200, "only a long path has no unit")
                continue
            }
            #expect(unit.name.utf8.count <= 255)
            #expect(unescaped(unit.name) == path)
        }
    }
}
