import type pg from "pg";
import type { KeyFingerprint } from "../key-fingerprint.ts";
import { ask, firstRow } from "./facts.ts";

const INSERT = "insert into secret_key (no, fingerprint) values (1, $1)";

export function postgresKeyFingerprint(url: string): KeyFingerprint {
  return {
    find: () => ask(url, findIn),
    agreeOn: (fingerprint) =>
      ask(url, async (client) => {
        const stored = await findIn(client);
        if (stored !== null) return stored;
        await firstRow(client, `${INSERT} on conflict do nothing`, [fingerprint]);
        return (await findIn(client)) ?? fingerprint;
      }),
    replaceBy: (fingerprint) =>
      ask(url, async (client) => {
        await firstRow(client, `${INSERT} on conflict (no) do update set fingerprint = excluded.fingerprint`, [
          fingerprint,
        ]);
      }),
  };
}

/** A database of an earlier release has no such table. */
async function findIn(client: pg.Client): Promise<string | null> {
  const table = await firstRow<{ name: string | null }>(client, "select to_regclass('secret_key')::text as name");
  if (table?.name == null) return null;
  const row = await firstRow<{ fingerprint: string }>(client, "select fingerprint from secret_key where no = 1");
  return row?.fingerprint ?? null;
}
