import Testing

@testable import Browse

@Suite struct BrowseTerminalTests {
    /// A deadline that passed while the screen was drawn made `poll` wait for ever, and what was typed was
    /// not sent until the next key.
    @Test(arguments: [
        (Duration.zero, Int32(0)), (.microseconds(-1), 0), (.milliseconds(-2), 0), (.milliseconds(-3_500), 0), (.seconds(-9), 0),
        (.microseconds(1), 1), (.microseconds(1_500), 2), (.seconds(20), 20_001), (.seconds(Int64.max), .max),
    ])
    func time_isNeverNegative(time: Duration, milliseconds: Int32) {
        #expect(BrowseTerminal.milliseconds(time) == milliseconds)
    }
}
