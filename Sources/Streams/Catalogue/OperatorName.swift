/// The operators that C, Python and patches use by name.
package enum OperatorName: String, CaseIterable, Sendable {
  case distinct, buffered, counted, updates, changes, tick, flatten, bracketed
  case throttle, debounce, sample, batch, window
  case movingAverage = "moving_average"
  case lowPass = "low_pass"
  case minChange = "min_change"
  case timeout
  case count, sum, contains, sorted, elements, each, reversed
}
