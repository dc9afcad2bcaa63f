/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Every random test draws from one generator and
/// prints its seed.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator. Equal seeds yield equal sequences.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension SeededGenerator {
    /// A number in `0..<bound`; 0 if the bound is 0.
    package mutating func below(_ bound: Int) -> Int {
        bound <= 0 ? 0 : Int.random(in: 0..<bound, using: &self)
    }

    /// True with the given probability.
    package mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    /// A random element.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// A random offset on a character boundary of the text.
    ///
    /// - Parameter most: the largest offset, rounded up to the next character boundary or the end
    ///   of the text.
    package mutating func boundary(in text: [UInt8], from least: Int = 0, to most: Int = .max) -> Int {
        var offset = least + below(min(text.count, most) - least + 1)
        while offset < text.count, text[offset] & 0xC0 == 0x80 { offset += 1 }
        return offset
    }

    /// Random UTF-8 of about `count` bytes, with characters of one to four bytes.
    package mutating func utf8(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let scalar =
                chance(0.7)
                ? Unicode.Scalar(UInt8(below(0x80)))
                : pick(["\u{e9}", "\u{301}", "\u{feff}", "\u{ffff}", "漢", "\u{10ffff}", "👍"])
            bytes += Array(String(Character(scalar)).utf8)
        }
        return bytes
    }
}
