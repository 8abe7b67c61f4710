-- What wrk sends in ci/bench: the same tools/call over and over, from one thread. Prints a line of
-- results. With the argument `check` it looks at every answer, which costs time; with `churn` every
-- hundredth request asks for its connection to be closed.

local headers = {
  ["Content-Type"] = "application/json",
  ["Accept"] = "application/json, text/event-stream",
  ["MCP-Protocol-Version"] = "2026-07-28",
  ["Mcp-Method"] = "tools/call",
  ["Mcp-Name"] = "echo",
}
local body = [[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",]] ..
  [["arguments":{"message":"the quick brown fox"},"_meta":{]] ..
  [["io.modelcontextprotocol/protocolVersion":"2026-07-28",]] ..
  [["io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},]] ..
  [["io.modelcontextprotocol/clientCapabilities":{}}}}]]

local the_thread
local keep, last, churn
local count = 0
wrong = 0

function setup(thread)
  the_thread = thread
end

function init(arguments)
  keep = wrk.format("POST", nil, headers, body)
  headers["Connection"] = "close"
  last = wrk.format("POST", nil, headers, body)
  churn = arguments[1] == "churn"
  if arguments[1] == "check" then
    function response(_, _, answer)
      if not answer:find('"text":"the quick brown fox"', 1, true) then wrong = wrong + 1 end
    end
  end
end

function request()
  count = count + 1
  return churn and count % 100 == 0 and last or keep
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format("requests=%d per_second=%.1f p50_us=%.1f p99_us=%.1f failed=%d wrong=%d",
    summary.requests, summary.requests / summary.duration * 1e6, latency:percentile(50),
    latency:percentile(99), failed, the_thread:get("wrong")))
end
