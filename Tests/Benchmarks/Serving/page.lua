-- What wrk asks for: a page, and each fiftieth time one more connection. Each thread has one.
local count, stay, leave = 0, nil, nil

function init()
  stay = wrk.format("GET")
  leave = wrk.format("GET", nil, {["Host"] = wrk.headers["Host"], ["Connection"] = "close"})
end

function request()
  count = count + 1
  return count % 50 == 0 and leave or stay
end

function done(summary)
  local errors = 0
  for _, number in pairs(summary.errors) do errors = errors + number end
  io.write(string.format("pages %d %d %d\n", summary.requests, summary.duration, errors))
end
