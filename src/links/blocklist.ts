import { type BlockReason, blockReasons } from "#contract/errors.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { isHostName, isIpLiteral, withoutTrailingDot } from "#shared/host-name.ts";

// The format is described for operators in docs/blocklist.md: one entry per line, an optional reason before it,
// a host (with its subdomains) or a URL prefix, and comments after a #.

export interface Blocklist {
  find(destinationUrl: string): BlockReason | null;
  readonly size: number;
}

const REASON_DEFAULT: BlockReason = "manual";
const COMMENT = /(?:^|\s)#.*$/s;
// Most lines of a large file look like this; parsing each as a URL would take seconds.
const PLAIN_HOST = /^(?:[a-z0-9_-]{1,63}\.)+[a-z]{2,63}$/;
const ESCAPE = /%([0-9a-f]{2})/gi;

/** Throws an error with the line number; one invalid line rejects the whole file. */
export function parseBlocklist(text: string): Blocklist {
  const hosts = new Map<string, BlockReason>();
  const prefixes = new Map<string, BlockReason>();
  let segmentsMax = 0;
  let lineNumber = 0;
  for (const line of linesOf(text)) {
    lineNumber += 1;
    const words = wordsOf(line);
    if (words.length === 0) continue;
    try {
      const { reason, target } = readEntry(words);
      if (!target.includes("://")) {
        hosts.set(readHost(target), reason);
        continue;
      }
      const { host, segments } = readPrefix(target);
      prefixes.set([host, ...segments].join("/"), reason);
      segmentsMax = Math.max(segmentsMax, segments.length);
    } catch (cause) {
      throw new Error(`line ${lineNumber}: ${reasonOf(cause)}`, { cause });
    }
  }

  function find(destinationUrl: string): BlockReason | null {
    const url = URL.parse(destinationUrl);
    if (!url) return null;
    const byHost = findByHost(hosts, withoutTrailingDot(url.hostname));
    if (byHost !== null || prefixes.size === 0) return byHost;
    let key = hostOf(url);
    let found = prefixes.get(key) ?? null;
    // No entry is deeper than segmentsMax, which limits the work for a URL with a thousand segments.
    for (const segment of segmentsOf(url.pathname, segmentsMax)) {
      if (found !== null) return found;
      key += `/${segment}`;
      found = prefixes.get(key) ?? null;
    }
    return found;
  }

  return { find, size: hosts.size + prefixes.size };
}

function* linesOf(text: string): Generator<string> {
  for (let start = text.startsWith("\uFEFF") ? 1 : 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    yield text.slice(start, end);
    start = end + 1;
  }
}

function wordsOf(line: string): readonly string[] {
  const entry = line.includes("#") ? line.replace(COMMENT, "") : line;
  const trimmed = entry.trim();
  return trimmed === "" ? [] : trimmed.split(/\s+/);
}

interface Entry {
  readonly reason: BlockReason;
  readonly target: string;
}

function readEntry(words: readonly string[]): Entry {
  const [first = "", second, ...rest] = words;
  if (rest.length > 0) throw new Error("expected an optional reason and one host or URL");
  const reason = blockReasons.find((known) => known === first);
  if (second === undefined) {
    if (reason) throw new Error(`the reason "${first}" is not followed by a host or URL`);
    return { reason: REASON_DEFAULT, target: first };
  }
  if (!reason) throw new Error(`unknown reason "${first}", expected one of ${blockReasons.join(", ")}`);
  return { reason, target: second };
}

function readHost(target: string): string {
  if (PLAIN_HOST.test(target) && !target.includes("xn--")) return target;
  if (target.startsWith("*.") || target.startsWith("."))
    throw new Error(`write "${target.replace(/^\*?\./, "")}": a host covers its subdomains`);
  const url = URL.parse(`http://${target}/`);
  const hasPort = target.includes(":") && !target.startsWith("[");
  if (!url || hasPort || url.href !== `http://${url.hostname}/`)
    throw new Error(`"${target}" is not a host; a URL must start with https:// or http://`);
  return getHostName(url, target);
}

function readPrefix(target: string): { readonly host: string; readonly segments: readonly string[] } {
  const url = URL.parse(target);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`"${target}" is not an http or https URL`);
  if (url.username !== "" || url.password !== "" || /[?#]/.test(target))
    throw new Error(`"${target}" may only have a host, port and path`);
  getHostName(url, target);
  return { host: hostOf(url), segments: segmentsOf(url.pathname, Number.POSITIVE_INFINITY) };
}

function getHostName(url: URL, target: string): string {
  const hostname = withoutTrailingDot(url.hostname);
  if (!isHostName(hostname) && !isIpLiteral(hostname)) throw new Error(`"${target}" has no valid host name`);
  return hostname;
}

function findByHost(hosts: ReadonlyMap<string, BlockReason>, hostname: string): BlockReason | null {
  for (let name = hostname; ; ) {
    const reason = hosts.get(name);
    if (reason !== undefined) return reason;
    const dot = name.indexOf(".");
    if (dot === -1) return null;
    name = name.slice(dot + 1);
  }
}

/** Without the scheme, or a blocked site could just move from https to http. */
function hostOf(url: URL): string {
  const hostname = withoutTrailingDot(url.hostname);
  return url.port === "" ? hostname : `${hostname}:${url.port}`;
}

/** Decodes percent-encoding and drops empty segments on both sides, because servers treat those URLs as equal. */
function segmentsOf(pathname: string, segmentsMax: number): readonly string[] {
  const decoded = pathname.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const segments = decoded.split("/").filter((segment) => segment !== "");
  return segments.slice(0, segmentsMax);
}
