import { Resolver } from "node:dns/promises";
import { codeOf } from "#kernel/error-codes.ts";

/** The TXT records of a name, or why nobody can tell. A name without records is an answer. */
export type TxtAnswer =
  | { readonly ok: true; readonly values: readonly string[] }
  | { readonly ok: false; readonly problem: string };

export type LookUpTxt = (name: string) => Promise<TxtAnswer>;

const TIMEOUT_MS = 2000;
const TRIES = 2;
/** Whatever the library's own limits mean with several servers. */
const TIMEOUT_MS_MAX = 10_000;

const NO_RECORDS = new Set(["ENOTFOUND", "ENODATA"]);

const problems: Readonly<Record<string, string>> = {
  ETIMEOUT: "the name server didn't answer in time",
  ESERVFAIL: "the name server failed",
  EREFUSED: "the name server refused to answer",
  ECONNREFUSED: "the name server can't be reached",
};

/** Without `servers`, asks those of the system. */
export function txtLookup(servers: readonly string[]): LookUpTxt {
  return async (name) => {
    // One for each question: cancelling ends all questions of a resolver.
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<TxtAnswer>((resolve) => {
      timer = setTimeout(() => {
        resolver.cancel();
        resolve({ ok: false, problem: problems.ETIMEOUT ?? "" });
      }, TIMEOUT_MS_MAX);
    });
    const answer = resolver.resolveTxt(name).then(
      // A record of more than 255 bytes has several texts; those that are looked for here have one.
      (records): TxtAnswer => ({ ok: true, values: records.flat() }),
      (error: unknown): TxtAnswer => {
        const code = codeOf(error)?.replace(/^DNS_/, "") ?? "";
        if (NO_RECORDS.has(code)) return { ok: true, values: [] };
        return { ok: false, problem: problems[code] ?? `the look-up failed (${code || String(error)})` };
      },
    );
    return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
  };
}
