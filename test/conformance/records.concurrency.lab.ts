import type { SelectQueryBuilder } from "kysely";
import type { Records } from "#engines/records/records.ts";
import type { Database } from "#engines/records/schema.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";

export interface OpenedNodes {
  /** The records as several nodes of one deployment have them. Embedded, there is one. */
  readonly nodes: readonly [Records, ...Records[]];
  close(): Promise<void>;
}

/** What tests of concurrent writers work with. */
export interface ConcurrencyLab {
  /** Those of one node. */
  readonly records: Records;
  readonly nodes: readonly Records[];
  nodeOf(turn: number): Records;
  /** Runs it many times at once, on all nodes in turn, and returns what came of each. */
  atOnce<T>(count: number, work: (node: Records, turn: number) => Promise<T>): Promise<PromiseSettledResult<T>[]>;
  auditOf(action: string, subject: string): Promise<{ no: number }[]>;
  linksOf(caller: Caller): SelectQueryBuilder<Database, "links", { no: number; id: string }>;
  countLinks(caller: Caller): Promise<number>;
  countActive(caller: Caller): Promise<number>;
}

/** The nodes may be opened later, but before a test uses them. */
export function concurrencyLab(opened: () => OpenedNodes): ConcurrencyLab {
  const nodeOf = (turn: number): Records => {
    const { nodes } = opened();
    return nodes[turn % nodes.length] ?? nodes[0];
  };
  const linksOf = ({ accountNo }: Caller) =>
    nodeOf(0).read.selectFrom("links").select(["no", "id"]).where("account_no", "=", accountNo);
  return {
    get records() {
      return nodeOf(0);
    },
    get nodes() {
      return opened().nodes;
    },
    nodeOf,
    atOnce: (count, work) => Promise.allSettled(Array.from({ length: count }, (_, turn) => work(nodeOf(turn), turn))),
    auditOf: (action, subject) =>
      nodeOf(0)
        .read.selectFrom("audit_log")
        .select("no")
        .where("action", "=", action)
        .where("subject", "=", subject)
        .execute(),
    linksOf,
    countLinks: async (caller) => (await linksOf(caller).execute()).length,
    async countActive({ accountNo }) {
      const accounts = nodeOf(0).read.selectFrom("accounts").select("active_links").where("no", "=", accountNo);
      return (await accounts.executeTakeFirstOrThrow()).active_links;
    },
  };
}

export function unwrap<T>(answer: PromiseSettledResult<T>): T {
  if (answer.status === "rejected") throw answer.reason;
  return answer.value;
}

/** "ok" or the error's code, in alphabetical order; fails on any other error. */
export const codesOf = (answers: readonly PromiseSettledResult<unknown>[]): string[] =>
  answers
    .map((answer) => {
      if (answer.status === "fulfilled") return "ok";
      if (answer.reason instanceof ApiError) return answer.reason.code;
      throw answer.reason;
    })
    .sort();
