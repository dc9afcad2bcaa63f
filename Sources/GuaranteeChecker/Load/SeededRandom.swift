/// Chance with a seed (SplitMix64), so that a run can be asked for again.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// - Precondition: `bound` is over 0.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func chance(_ share: Double) -> Bool { Double(next() >> 11) / Double(1 << 53) < share }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
