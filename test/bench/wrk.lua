-- Opens paths from a file of lines of equal length: wrk … -- <file> <first line> <lines> <think time in ms> <visitors>
-- With more than one visitor, each request comes from one of them, drawn at random, through a proxy.
local LINE_BYTES = 10
local KINDS = 200
local head, paths, at = "GET ", {}, 0
local kinds, addresses = {}, {}

local MOZILLA = "Mozilla/5.0 "
local BROWSERS = {
  "(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Safari/537.36",
  "(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Safari/537.36 Edg/%d.0.0.0",
  "(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.%d Safari/605.1.15",
  "(iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.%d Mobile/15E148 Safari/604.1",
  "(Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Mobile Safari/537.36",
  "(X11; Linux x86_64; rv:%d.0) Gecko/20100101 Firefox/%d.0",
}
local VERSIONS = 10
local LANGUAGES = {
  "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7", "en-US,en;q=0.9", "en-GB,en;q=0.8", "fr-FR,fr;q=0.9,en;q=0.5",
  "es-ES,es;q=0.9", "pt-BR,pt;q=0.9,en-US;q=0.8", "ja", "pl,en;q=0.7",
}
local PAGES = {
  "https://news.example.com/", "https://www.search.example/", "https://social.example/feed/", "https://t.example/",
  "https://mail.example.org/u/0/", "https://forum.example.net/t/",
}

local function pick(list) return list[math.random(#list)] end

-- The end of the request line and all headers but the last.
local function drawKind()
  local version = 130 + math.random(VERSIONS)
  local headers = {}
  for name, value in pairs(wrk.headers) do headers[name] = value end
  headers["User-Agent"] = MOZILLA .. string.format(pick(BROWSERS), version, version)
  headers["Accept-Language"] = pick(LANGUAGES)
  headers["Referer"] = pick(PAGES) .. math.random(1000000)
  return wrk.format("GET", "/", headers):sub(#"GET / ", -3)
end

local function drawAddress()
  local octet = function() return math.random(0, 255) end
  return string.format("X-Forwarded-For: %d.%d.%d.%d\r\n\r\n", math.random(11, 126), octet(), octet(), octet())
end

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
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
  local visitors = tonumber(arguments[5])
  if visitors == 1 then
    kinds, addresses = { wrk.format("GET", "/"):sub(#"GET / ", -3) }, { "\r\n" }
  else
    -- The same crowd comes in every burst.
    math.randomseed(1)
    for kind = 1, KINDS do kinds[kind] = drawKind() end
    for visitor = 1, visitors do addresses[visitor] = drawAddress() end
    math.randomseed(os.time())
  end
end

function request()
  at = at % #paths + 1
  local visitor = math.random(#addresses)
  return head .. paths[at] .. kinds[visitor % #kinds + 1] .. addresses[visitor]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"durationMs":%f,"unexpected":%d,"broken":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1000, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
