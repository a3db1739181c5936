// ClickHouse's HTTP interface over chdb, as far as `@clickhouse/client` uses it. Runs under Node in a process of its own,
// so tests can freeze or kill it: node server.mjs <data directory> <port>
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

const require = createRequire(import.meta.url);
const native = require(`@chdb/lib-linux-${process.arch}-gnu`);

const [, , directory = "", port = "0"] = process.argv;
const CONNECTIONS_MAX = 4;
/** URL parameters that are no settings of the engine. */
const NOT_SETTINGS = new Set([
  ...["query", "query_id", "database", "session_id", "session_timeout", "session_check", "role", "default_format"],
  ...["wait_end_of_query", "send_progress_in_http_headers", "http_headers_progress_interval_ms"],
  ...["enable_http_compression", "user", "password"],
]);

const idle = [];
const waiting = [];
let opened = 0;

async function withConnection(work) {
  let session = idle.pop();
  if (!session && opened < CONNECTIONS_MAX) {
    opened += 1;
    session = { connection: native.CreateConnection(directory) };
  }
  session ??= await new Promise((resolve) => waiting.push(resolve));
  try {
    return await work(session);
  } finally {
    const next = waiting.shift();
    if (next) next(session);
    else idle.push(session);
  }
}

// Binding changes state of the whole process, so statements with parameters run one after another.
let binding = Promise.resolve();
function exclusively(work) {
  const result = binding.then(work);
  binding = result.catch(() => {});
  return result;
}

const quoted = (value) => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function run(session, sql, { format = "TabSeparated", params = {}, data } = {}) {
  const { connection } = session;
  if (data) return insertFromFile(connection, sql, data);
  if (Object.keys(params).length === 0) return native.QueryAsyncConnection(connection, sql, format);
  return exclusively(() => native.QueryAsyncConnection(connection, sql, format, params));
}

let files = 0;

/** In a file: what follows a statement ends for chdb where it has an empty line, even in a binary format. */
async function insertFromFile(connection, sql, data) {
  files += 1;
  const file = `${directory}-insert-${files}`;
  await writeFile(file, data);
  try {
    const statement = sql.replace(/ format (\w+)\s*$/i, ` from infile ${quoted(file)} format $1`);
    return await native.QueryAsyncConnection(connection, statement, "TabSeparated");
  } finally {
    await rm(file, { force: true });
  }
}

/** Statements for what differs from the connection's last request. */
function* preparations(session, database, settings) {
  session.database ??= "default";
  session.settings ??= new Map();
  if (session.database !== database) yield `USE \`${database}\``;
  session.database = database;
  const changes = [
    ...[...settings].flatMap(([name, value]) =>
      session.settings.get(name) === value ? [] : [`${name} = ${quoted(value)}`],
    ),
    ...[...session.settings.keys()].flatMap((name) => (settings.has(name) ? [] : [`${name} = DEFAULT`])),
  ];
  if (changes.length > 0) yield `SET ${changes.join(", ")}`;
  session.settings = settings;
}

async function answer(url, body) {
  const query = url.searchParams.get("query");
  const settings = [...url.searchParams].filter(([name]) => !NOT_SETTINGS.has(name) && !name.startsWith("param_"));
  const params = Object.fromEntries(
    [...url.searchParams].flatMap(([name, value]) => (name.startsWith("param_") ? [[name.slice(6), value]] : [])),
  );
  return withConnection(async (session) => {
    const database = url.searchParams.get("database") ?? "default";
    for (const statement of preparations(session, database, new Map(settings))) await run(session, statement);
    const format = url.searchParams.get("default_format") ?? undefined;
    if (query === null) return await run(session, body.toString(), { format, params });
    return await run(session, query, { format, params, ...(body.length > 0 && { data: body }) });
  });
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  return request.headers["content-encoding"] === "gzip" ? promisify(gunzip)(body) : body;
}

const bytesOf = (result) => result?.bytes ?? Buffer.alloc(0);

createServer(async (request, response) => {
  const url = new URL(request.url, "http://localhost");
  if (url.pathname === "/ping") {
    response.end("Ok.\n");
    return;
  }
  try {
    const result = await answer(url, await readBody(request));
    const summary = {
      read_rows: String(result?.rowsRead ?? 0),
      written_rows: String(result?.rowsWritten ?? 0),
      elapsed_ns: String(Math.round((result?.elapsed ?? 0) * 1e9)),
    };
    response.setHeader("X-ClickHouse-Query-Id", url.searchParams.get("query_id") ?? "");
    response.setHeader("X-ClickHouse-Summary", JSON.stringify(summary));
    const isZipped =
      url.searchParams.get("enable_http_compression") === "1" && /gzip/.test(request.headers["accept-encoding"] ?? "");
    if (isZipped) response.setHeader("Content-Encoding", "gzip");
    response.end(isZipped ? await promisify(gzip)(bytesOf(result)) : bytesOf(result));
  } catch (error) {
    const [, code = "1002"] = /Code: (\d+)/.exec(error.message) ?? [];
    response.writeHead(500, { "X-ClickHouse-Exception-Code": code });
    response.end(error.message);
  }
}).listen(Number(port), "127.0.0.1", function () {
  // The first statement starts the engine.
  withConnection((session) => run(session, "SELECT 1")).then(() =>
    process.stdout.write(`listening on ${this.address().port}\n`),
  );
});
