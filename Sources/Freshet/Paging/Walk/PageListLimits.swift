/// The limits of a list: the part of the options that decisions depend on.
struct PageListLimits {
  var prefetchDistance = 5
  var pageLimit = 10_000
  var itemLimit = 1_000_000
  var emptyPageLimit = 100
  var requestBudget = 50
  var retainedPageLimit = Int.max
  var concurrentLoads = 1
  var showsRefreshWhenComplete = false
  var allowsRepeatedPages = false
  var restartsExpiredChains = true
  var reloadsWhenInvalidated = true
}
