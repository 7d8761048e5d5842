-- Sends the requests of a file in turn, over and over, and prints what wrk measured as one line of JSON.
-- A line is `METHOD path|name: value|...` and, for requests with a body, a tab and the body.

local requests, last = {}, 0

function init()
  for line in io.lines(os.getenv("REQUESTS")) do
    local head, body = line:match("^([^\t]*)\t?(.*)$")
    local start, fields = head:match("^([^|]*)|?(.*)$")
    local method, path = start:match("^(%S+) (%S+)$")
    local headers = {}
    for name, value in fields:gmatch("([^:|]+): ([^|]+)") do headers[name] = value end
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.3f, "p50_ms": %.3f, "p95_ms": %.3f, "p99_ms": %.3f, "max_ms": %.3f, '
      .. '"failures": %d, "bytes": %d}\n',
    summary.requests, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(95) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout, summary.bytes
  ))
end
