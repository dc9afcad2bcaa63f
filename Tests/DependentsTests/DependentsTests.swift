// DependentsTests
