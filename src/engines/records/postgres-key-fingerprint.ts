import type pg from "pg";
import type { KeyFingerprint } from "./key-fingerprint.ts";
import { connectOnce } from "./postgres-connect.ts";

const INSERT = "insert into secret_key (no, fingerprint) values (1, $1)";

export function postgresKeyFingerprint(url: string): KeyFingerprint {
  const withClient = async <T>(use: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = await connectOnce(url);
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  };
  return {
    find: () => withClient(findIn),
    agreeOn: (fingerprint) =>
      withClient(async (client) => {
        const stored = await findIn(client);
        if (stored !== null) return stored;
        await client.query(`${INSERT} on conflict do nothing`, [fingerprint]);
        return (await findIn(client)) ?? fingerprint;
      }),
    replaceBy: (fingerprint) =>
      withClient(async (client) => {
        await client.query(`${INSERT} on conflict (no) do update set fingerprint = excluded.fingerprint`, [
          fingerprint,
        ]);
      }),
  };
}

/** A database of an earlier release has no such table. */
async function findIn(client: pg.Client): Promise<string | null> {
  const { rows: tables } = await client.query("select to_regclass('secret_key') is not null as exists");
  if (!tables[0].exists) return null;
  const { rows } = await client.query("select fingerprint from secret_key where no = 1");
  return (rows[0]?.fingerprint as string | undefined) ?? null;
}
