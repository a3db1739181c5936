import { BROWSER } from "#test/support/click-counts.ts";
import { RawConnection } from "#test/support/raw-connection.ts";
import { quantile } from "./statistics.ts";

export interface VisitsSpec {
  readonly port: number;
  readonly slugs: readonly string[];
  readonly connections: number;
  /** How long each connection waits before its next request. */
  readonly thinkMs: number;
  readonly seconds: number;
}

export interface VisitsReport {
  readonly redirected: number;
  /** All other outcomes, by status or message. */
  readonly others: Readonly<Record<string, number>>;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
}

/** Visits short links at a steady rate from its own process, and waits for every answer before it ends. */
export async function visitSteadily(spec: VisitsSpec): Promise<VisitsReport> {
  const child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(spec)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if (text === "") throw new Error("the process that visits links died");
  return JSON.parse(text) as VisitsReport;
}

async function run({ port, slugs, connections, thinkMs, seconds }: VisitsSpec): Promise<VisitsReport> {
  const deadline = performance.now() + seconds * 1000;
  const latencies: number[] = [];
  const others: Record<string, number> = {};
  let redirected = 0;
  const note = (what: string): void => {
    others[what] = (others[what] ?? 0) + 1;
  };

  const loop = async (_: unknown, first: number): Promise<void> => {
    let connection: RawConnection | undefined;
    for (let visit = first; performance.now() < deadline; visit += 1) {
      const startedAt = performance.now();
      try {
        connection ??= await RawConnection.open(port);
        const target = `/${slugs[visit % slugs.length]}`;
        const { status } = await connection.request({ target, headers: [["User-Agent", BROWSER]] });
        latencies.push(performance.now() - startedAt);
        if (status === 302) redirected += 1;
        else note(String(status));
      } catch (error) {
        note((error as Error).message);
        connection = undefined;
      }
      await Bun.sleep(thinkMs);
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return {
    redirected,
    others,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    slowest: quantile(latencies, 1),
  };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await run(JSON.parse(Bun.argv[2] ?? "") as VisitsSpec)));
