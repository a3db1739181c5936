import { afterAll, expect, test } from "bun:test";
import { sendToServer } from "#commands/admin-client.ts";
import { dataPaths } from "#config/data-paths.ts";
import { signIn } from "#contract/console/session.ts";
import { ConsoleClient, outcomeOf } from "#test/support/console-client.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { askOnce } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const ANSWERS_MIN = 20;
const RETRY_MS = 20;
// Control has 30 s for an answer, which a busy machine may need for its share of hashes.
const LATE_MS = 25_000;

const { kurz, api } = await startKurzWithApi({
  env: { KURZ_REDIRECT_PROCESSES: "1", KURZ_RATE_LIMIT_PER_MINUTE: "0", KURZ_TRUST_PROXY: "1" },
});
const { slug } = await api.create();
afterAll(() => kurz.stop());

let places = 0;
/** With a wrong password, an unknown user and a new address: each attempt costs a hash. */
async function tryToSignIn(signal?: AbortSignal): Promise<number> {
  const place = ++places;
  const response = await fetch(`${kurz.url}${signIn.path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": `10.0.${place >> 8}.${place & 255}`,
    },
    body: JSON.stringify({ email: `nobody${place}@example.com`, password: "not the password at all" }),
    ...(signal && { signal }),
  });
  await response.body?.cancel();
  return response.status;
}

interface Attempt {
  readonly status: number;
  readonly ms: number;
}

interface Timed extends Attempt {
  /** How many attempts to sign in were answered meanwhile. */
  readonly overtaken: number;
}

/** Signs in that often at once, and asks for redirects and API calls until all are answered. */
async function flood(count: number) {
  let isOver = false;
  let answered = 0;
  const startedAt = performance.now();
  const attempt = async (): Promise<Attempt> => {
    const status = await tryToSignIn();
    // One that is turned away costs no hash.
    if (status !== 503) answered += 1;
    return { status, ms: performance.now() - startedAt };
  };
  const attempts = Promise.all(Array.from({ length: count }, attempt)).finally(() => {
    isOver = true;
  });
  const timed = async (ask: () => Promise<{ readonly status: number }>): Promise<Timed> => {
    const [askedAt, before] = [performance.now(), answered];
    const { status } = await ask();
    return { status, ms: performance.now() - askedAt, overtaken: answered - before };
  };
  const redirects: Timed[] = [];
  const calls: Timed[] = [];
  while (!isOver) {
    redirects.push(await timed(() => askOnce(kurz.port, { target: `/${slug}` })));
    calls.push(await timed(() => api.ask("GET", "/me")));
  }
  const outcomes = await attempts;
  const ms = performance.now() - startedAt;
  const slowest = (times: readonly Timed[]) => Math.round(Math.max(...times.map((one) => one.ms)));
  process.stderr.write(
    `${count} sign-ins took ${Math.round(ms)} ms; of ${redirects.length} redirects and calls beside them ` +
      `the slowest took ${slowest(redirects)} and ${slowest(calls)} ms\n`,
  );
  expect(redirects.length).toBeGreaterThan(ANSWERS_MIN);
  expect(new Set(redirects.map(({ status }) => status))).toEqual(new Set([302]));
  expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]));
  // A request queued behind the hashes would have waited for nearly all of them, however long they took.
  for (const { overtaken } of [...redirects, ...calls]) expect(overtaken).toBeLessThan(answered / 2);
  return outcomes;
}

const wasChecked = ({ status, ms }: Attempt): boolean => status === 401 || (status === 503 && ms > LATE_MS);
const wasTurnedAway = ({ status, ms }: Attempt): boolean => status === 503 && ms <= LATE_MS;

test(
  "a hundred sign-ins at once delay neither redirects nor the API, and are all answered",
  async () => {
    // The first one loads the sign-in library.
    expect(await tryToSignIn()).toBe(401);
    const attempts = await flood(100);
    expect(attempts.filter((one) => !wasChecked(one))).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  "sign-ins beyond the queue get 503 at once, and none is logged as a failure of the service",
  async () => {
    // Those that came too late before still have their places in the queue, and are checked in turn.
    await until("the queue is empty", async () => (await tryToSignIn()) === 401, TIMEOUT_MS / 2);
    const attempts = await flood(240);
    expect(attempts.filter(wasChecked).length).toBeGreaterThan(100);
    expect(attempts.filter(wasTurnedAway).length).toBeGreaterThan(50);
    expect(attempts.filter((one) => !wasChecked(one) && !wasTurnedAway(one))).toEqual([]);
    expect(kurz.output.stderr).not.toContain('"level":"error"');
  },
  TIMEOUT_MS,
);

test(
  "a flood of strangers doesn't hold up someone who has signed in before",
  async () => {
    const [email, password] = ["ada@example.com", "three small grey herons"];
    const { adminSocket } = dataPaths(kurz.dataDir);
    await sendToServer(adminSocket, "accounts create", { email, name: "Ada", password });
    const ada = new ConsoleClient(`http://localhost:${kurz.port}`);
    expect(outcomeOf(await ada.signIn(email, password))).toBe("200");
    const leave = new AbortController();
    let isFull = false;
    let checked = 0;
    // More than there is room for, each retrying, so that there is never room for long.
    const keepTrying = async (): Promise<void> => {
      for (;;) {
        if ((await tryToSignIn(leave.signal)) !== 503) {
          checked += 1;
          continue;
        }
        isFull = true;
        // Leaves the machine time for the sign-in under test.
        await Bun.sleep(RETRY_MS);
      }
    };
    const strangers = Promise.allSettled(Array.from({ length: 140 }, keepTrying));
    await until("strangers are turned away", () => isFull);
    const checkedBefore = checked;
    const answer = await ada.signIn(email, password).finally(() => leave.abort());
    expect(outcomeOf(answer)).toBe("200");
    // More than a hundred were waiting.
    expect(checked - checkedBefore).toBeLessThan(50);
    await strangers;
  },
  TIMEOUT_MS,
);
