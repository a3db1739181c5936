import { systemClock } from "#kernel/clock.ts";
import { errorText } from "#kernel/error-text.ts";
import { zipfRanks } from "#kernel/seeded-random.ts";
import { logEvent } from "#runtime/log.ts";
import { countryPicker } from "#sample-data/rhythm.ts";
import { weightedChoice } from "#sample-data/weighted-choice.ts";
import { demoAccounts } from "./seed/demo-accounts.ts";

interface TrafficOptions {
  /** Where the current generation is served. */
  readonly socketPath: () => string;
  readonly host: string;
  /** In which the generation reads where a visitor is. */
  readonly countryHeader: string;
  readonly visitsPerHour: number;
}

const HOUR_MS = 3_600_000;
const PAUSE_MS_MAX = HOUR_MS;
const QR_SHARE = 0.08;
const USER_AGENTS: readonly (readonly [userAgent: string, weight: number])[] = [
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36",
    30,
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36",
    28,
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
    26,
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
    9,
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0", 7],
];
const REFERRERS: readonly (readonly [url: string, weight: number])[] = [
  ["", 45],
  ["https://search.example/", 22],
  ["https://chirp.example/", 14],
  ["https://news.example.org/", 10],
  ["https://mail.example/", 9],
];

/** Fictional people who keep visiting short links, so that the demo's reports go on up to this minute. */
export function startSampleTraffic({ socketPath, host, countryHeader, visitsPerHour }: TrafficOptions): {
  stop(): void;
} {
  if (visitsPerHour === 0) return { stop() {} };
  const random = Math.random;
  const pickUserAgent = weightedChoice(USER_AGENTS, random);
  const pickReferrer = weightedChoice(REFERRERS, random);
  const pickCountry = countryPicker(random);
  const pickAccount = weightedChoice(
    demoAccounts.map((account) => {
      // The least popular links have ended.
      const running = account.pages.length - account.paused - account.archived - account.expired;
      const pickRank = zipfRanks(running, random);
      return [() => account.pages[pickRank()]?.slug ?? "", account.clicks] as const;
    }),
    random,
  );
  /** A network of the block that is reserved for documentation. */
  const pickAddress = (): string =>
    `2001:db8:${Math.floor(random() * 65536).toString(16)}:${Math.floor(random() * 65536).toString(16)}::1`;

  async function visit(): Promise<void> {
    const { code, languages } = pickCountry(systemClock());
    const referrer = pickReferrer();
    const response = await fetch(`http://demo/${pickAccount()()}${random() < QR_SHARE ? "?qr=1" : ""}`, {
      unix: socketPath(),
      redirect: "manual",
      headers: {
        host,
        "user-agent": pickUserAgent(),
        "accept-language": languages[0]?.[0] ?? "en",
        "x-forwarded-for": pickAddress(),
        [countryHeader]: code,
        ...(referrer !== "" && { referer: referrer }),
      },
    });
    await response.body?.cancel();
  }

  let timer: ReturnType<typeof setTimeout>;
  // People don't come at regular intervals.
  function planNext(): void {
    const pauseMs = Math.min(PAUSE_MS_MAX, -Math.log(1 - random()) * (HOUR_MS / visitsPerHour));
    timer = setTimeout(() => {
      visit().catch((error: unknown) => logEvent("warn", "a sample visit failed", { error: errorText(error) }));
      planNext();
    }, pauseMs);
  }
  planNext();
  return { stop: () => clearTimeout(timer) };
}
