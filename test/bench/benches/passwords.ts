import { Kurz } from "#sdk/client.ts";
import { interleave } from "../interleave.ts";
import { cpuMicrosOf } from "../process-figures.ts";
import { atMost, millis, type Row } from "../report.ts";
import { POPULAR_LINES, type Stage, type Subject } from "../stage.ts";
import { median, ratioOfRounds } from "../statistics.ts";
import { type Burst, runWrk } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

const AT_ONCE = 64;
// A link refuses further guesses after 100 in a minute, and refusals cost nothing.
const GUESSES_PER_LINK = 64;
const LINKS = 8;
const SECONDS = 2;
const LEAD_MS = 300;
const THINK_MS = 10;
const ROUNDS = { full: 9, quick: 4 };
const TIMES_MAX = 1.5;

export const passwords: Bench = {
  name: "passwords",
  about: "redirect p99 while 64 wrong passwords of links are being checked, compared to alone",
  run: compare,
};

interface Guessed extends Burst {
  /** Passwords checked per second, and the share of a core that control used meanwhile. */
  readonly checked: number;
  readonly share: number;
}

async function compare(stage: Stage): Promise<Row[]> {
  const subject = await stage.small();
  const { alone, beside } = await interleave(ROUNDS[stage.isQuick ? "quick" : "full"], {
    alone: () => open(subject),
    beside: () => openBesideGuesses(subject),
  });
  const row = (name: string, of: (burst: Burst) => number) => ({
    name,
    ours: millis(median(beside.map(of))),
    baseline: millis(median(alone.map(of))),
    ...ratioOfRounds(beside.map(of), alone.map(of)),
  });
  return [
    atMost(
      row("redirect p99 beside 64 wrong passwords at a time", ({ p99 }) => p99),
      TIMES_MAX,
    ),
    row("  p50", ({ p50 }) => p50),
    { name: "passwords checked per second meanwhile", ours: median(beside.map(({ checked }) => checked)).toFixed(0) },
    { name: "share of a core that control took", ours: median(beside.map(({ share }) => share)).toFixed(2) },
  ];
}

/** At a steady rate: with connections that never pause, the latency would only reflect the queue length. */
const open = ({ server, data }: Subject): Promise<Burst> =>
  runWrk({
    url: server.url,
    pathFile: data.popularFile,
    lines: POPULAR_LINES,
    seconds: SECONDS,
    thinkMs: THINK_MS,
  });

async function openBesideGuesses(subject: Subject): Promise<Guessed> {
  const { server, smallToken, control } = subject;
  const { links } = new Kurz({ baseUrl: server.url, token: smallToken });
  const guarded = [];
  for (let made = 0; made < LINKS; made += 1) {
    guarded.push(await links.create({ destination_url: "https://example.com/", password: "tulip" }));
  }
  const guesses = startGuesses(
    server.url,
    guarded.map(({ slug }) => slug),
  );
  await Bun.sleep(LEAD_MS);
  const [checkedBefore, cpuBefore, startedAt] = [guesses.checked, cpuMicrosOf(control), performance.now()];
  const burst = await open(subject);
  const elapsedMs = performance.now() - startedAt;
  const checked = ((guesses.checked - checkedBefore) / elapsedMs) * 1000;
  const share = (cpuMicrosOf(control) - cpuBefore) / (elapsedMs * 1000);
  // The next burst is without them.
  await guesses.stop();
  for (const { id } of guarded) await links.delete(id);
  return { ...burst, checked, share };
}

/** Enters wrong passwords, always as many at a time, each from another network. */
function startGuesses(url: string, slugs: readonly string[]) {
  const status = { checked: 0, isStopped: false };
  let next = 0;
  const guess = async (): Promise<void> => {
    const slug = slugs[Math.floor(next / GUESSES_PER_LINK)];
    if (slug === undefined) throw new Error("the guesses were checked so fast that there are too few links");
    const network = `198.18.${(next >> 8) & 255}.${next & 255}`;
    next += 1;
    const answer = await fetch(`${url}/${slug}`, {
      method: "POST",
      headers: { "X-Forwarded-For": network },
      body: new URLSearchParams({ password: "rose" }),
      redirect: "manual",
    });
    // 503: others were checked all the time that it could wait.
    if (answer.status !== 403 && answer.status !== 503) throw new Error(`a guess was answered with ${answer.status}`);
    if (answer.status === 403) status.checked += 1;
  };
  const loop = async (): Promise<void> => {
    while (!status.isStopped) await guess();
  };
  const loops = Promise.all(Array.from({ length: AT_ONCE }, loop));
  return {
    get checked() {
      return status.checked;
    },
    async stop(): Promise<void> {
      status.isStopped = true;
      await loops;
    },
  };
}
