// CausalityTests
