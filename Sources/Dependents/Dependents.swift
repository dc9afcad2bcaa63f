// Dependents
