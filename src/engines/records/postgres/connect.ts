import pg from "pg";
import { reasonOf } from "#kernel/error-text.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { RecordsUnavailable } from "../records.ts";
import { sqlStateOf } from "./errors.ts";
import { withKnownSslModes } from "./pool.ts";

const CONNECT_MS_MAX = 5000;
// Wrong user or password, no entry for this client, no such database, no right to connect to it.
const REFUSED = /^(?:28000|28P01|3D000|42501)$/;

/** A connection of its own, for work at the start. Refusals are explained: an operator can mend them. */
export async function connectOnce(url: string, application = "kurz", setting = "DATABASE_URL"): Promise<pg.Client> {
  const client = newClient(url, application, setting);
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw explainRefusal(client, setting, error);
  }
}

function newClient(url: string, application: string, setting: string): pg.Client {
  try {
    return new pg.Client({
      connectionString: withKnownSslModes(url),
      connectionTimeoutMillis: CONNECT_MS_MAX,
      application_name: application,
    });
  } catch (error) {
    const isFile = (error as { code?: unknown }).code !== undefined;
    const problem = isFile ? "names a file that can't be read" : "is no address of a PostgreSQL database";
    throw new OperatorMistake(`${setting} ${problem}: ${reasonOf(error)}`, { cause: error });
  }
}

// Reported by the TLS library: the certificate is of nobody we trust, of another host, or no longer valid.
const UNTRUSTED = /^(?:SELF_SIGNED|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|CERT_|ERR_TLS_CERT_)/;

/** Without the password, which the URL contains. */
function explainRefusal({ host, port, database }: pg.Client, setting: string, error: unknown): Error {
  const place = `PostgreSQL at ${host}:${port}`;
  const state = sqlStateOf(error);
  if (state !== undefined && REFUSED.test(state)) {
    return new OperatorMistake(`${setting}: ${place} refuses the database "${database}": ${reasonOf(error)}`, {
      cause: error,
    });
  }
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && UNTRUSTED.test(code)) {
    return new OperatorMistake(
      `${setting}: the certificate of ${place} can't be trusted: ${reasonOf(error)}; name the file of its authority ` +
        `with sslrootcert=, and the host as the certificate does`,
      { cause: error },
    );
  }
  if (String(error).includes("does not support SSL")) {
    return new OperatorMistake(`${setting} asks for TLS (sslmode), which ${place} doesn't offer`, { cause: error });
  }
  return new RecordsUnavailable(`${setting}: ${place} can't be reached: ${reasonOf(error)}`, { cause: error });
}
