-- Opens paths from a file of lines of equal length: wrk … -- <file> <first line> <lines> <think time in ms>
local LINE_BYTES = 10
local head, tail, paths, at = "", "", {}, 0

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  local whole = wrk.format("GET", "/")
  head, tail = "GET ", whole:sub(#"GET / ")
  local first, most = tonumber(arguments[2]), tonumber(arguments[3])
  local lines = math.floor(file:seek("end") / LINE_BYTES)
  file:seek("set", (first % lines) * LINE_BYTES)
  for line in file:lines() do
    paths[#paths + 1] = line
    if #paths >= most then break end
  end
  file:close()
  local think = tonumber(arguments[4])
  if think > 0 then
    -- Spread out, so that the connections do not march in step.
    delay = function() return math.random(0, 2 * think) end
  end
end

function request()
  at = at % #paths + 1
  return head .. paths[at] .. tail
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"durationMs":%f,"unexpected":%d,"broken":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1000, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
