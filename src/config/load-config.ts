import { readFileSync } from "node:fs";
import { availableParallelism, hostname } from "node:os";
import { resolve } from "node:path";
import { codeOf } from "#kernel/error-codes.ts";
import { findNearest } from "#shared/nearest-word.ts";
import { commandVariables } from "./command-variables.ts";
import { BadValue, parseValue } from "./parse-value.ts";
import { type Config, type RawValues, type Setting, settings } from "./settings.ts";
import { singleSignOnProblems } from "./single-sign-on.ts";
import { toNodeName } from "./value-kinds.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const REDIRECT_PROCESSES_MAX = 4;

/** Everything that is wrong with the configuration, one line per problem. */
export class ConfigError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

export function loadConfig(env: Environment): Config {
  const problems = unknownNames(env);
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(settings) as [string, Setting<unknown>][]) {
    try {
      const text = readText(setting, env);
      values[key] = text === undefined ? setting.fallback : parseValue(setting.name, setting.kind, text);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length === 0) problems.push(...contradictions(values as RawValues));
  if (problems.length > 0) throw new ConfigError(problems);
  return withDerivedDefaults(values as RawValues);
}

/** Settings that are valid alone, but not together. */
function contradictions(values: RawValues): string[] {
  return [...contradictionsOfNodes(values), ...singleSignOnProblems(values)];
}

function contradictionsOfNodes({
  demo,
  secretKey,
  databaseUrl,
  databaseReadUrl,
  clickhouseUrl,
  clickhouseCluster,
  redisUrl,
  roles,
  controlUrl,
}: RawValues): string[] {
  const problems: string[] = [];
  const isPart = roles.length < 2;
  if (isPart && demo) problems.push("the demo is a deployment of its own, with all roles: unset KURZ_ROLES");
  else if (isPart && databaseUrl === null) {
    problems.push(
      `KURZ_ROLES=${roles.join()} needs DATABASE_URL: this node serves only a part, and nodes with the other role must share its links`,
    );
  }
  if (controlUrl !== null && roles.includes("control")) {
    problems.push(
      "KURZ_CONTROL_URL is for nodes with KURZ_ROLES=redirect: this one serves the API and the console itself",
    );
  }
  if (databaseReadUrl !== null && databaseUrl === null) {
    problems.push("DATABASE_READ_URL is the replica of another server: set DATABASE_URL, too");
  }
  if (databaseUrl !== null && secretKey === null && !demo) {
    problems.push("DATABASE_URL needs KURZ_SECRET_KEY: every node that uses the database must have the same key");
  }
  if (clickhouseCluster !== null && clickhouseUrl === null) {
    problems.push("CLICKHOUSE_CLUSTER needs the address of one of its servers: set CLICKHOUSE_URL, too");
  }
  const servers = { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl, REDIS_URL: redisUrl };
  const names = Object.entries(servers).flatMap(([name, url]) => (url === null ? [] : [name]));
  if (demo && names.length > 0) {
    problems.push(`the demo keeps everything in its own data directory: unset ${names.join(", ")}`);
  }
  return problems;
}

function withDerivedDefaults(raw: RawValues): Config {
  const baseUrl = raw.baseUrl ?? `http://localhost:${raw.port}`;
  const isShared = raw.databaseUrl !== null || raw.clickhouseUrl !== null || raw.redisUrl !== null;
  return {
    ...raw,
    nodeId: raw.nodeId ?? (isShared ? toNodeName(hostname()) : "local"),
    dataDir: resolve(raw.dataDir ?? (raw.demo ? "./data-demo" : "./data")),
    baseUrl,
    shortDomain: raw.shortDomain ?? new URL(baseUrl).host,
    redirectProcesses: raw.redirectProcesses ?? defaultProcesses(raw),
  };
}

/** Without short links, they only pass requests on to control. */
const defaultProcesses = ({ roles }: RawValues): number =>
  roles.includes("redirect") ? Math.min(REDIRECT_PROCESSES_MAX, Math.max(1, availableParallelism() - 1)) : 1;

function readText({ name, secret }: Setting<unknown>, env: Environment): string | undefined {
  const direct = env[name] || undefined;
  const file = secret ? env[`${name}_FILE`] : undefined;
  if (!file) return direct;
  if (direct !== undefined) throw new BadValue(`${name} and ${name}_FILE are both set: choose one`);
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const reason = codeOf(error) ?? String(error);
    throw new BadValue(`${name} can't be read from ${name}_FILE (${file}): ${reason}`);
  }
}

function unknownNames(env: Environment): string[] {
  const known = new Set(
    Object.values(settings).flatMap(({ name, ...rest }) => ("secret" in rest ? [name, `${name}_FILE`] : [name])),
  );
  const isUnknown = (name: string): boolean => !known.has(name) && !commandVariables.includes(name);
  const unknown = Object.keys(env).filter((name) => name.startsWith("KURZ_") && isUnknown(name));
  return unknown.map((name) => `${name} is not a setting${suggest(name, known)}`);
}

function suggest(name: string, known: ReadonlySet<string>): string {
  const near = findNearest(name, [...known]);
  return near ? `; did you mean ${near}?` : " (see docs/configuration.md)";
}
