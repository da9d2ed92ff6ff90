/// Takes a value so that the optimizer cannot leave out what computes it.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: borrowing Value) {}
