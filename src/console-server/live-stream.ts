import type { LiveClicks } from "#clicks/live/live-clicks.ts";
import type { LiveClick as LiveClickRecord } from "#clicks/live/live-exchange.ts";
import type { LiveClick } from "#contract/console/links.ts";
import { toPublicClick } from "#engines/clicks/public-click.ts";
import type { Records } from "#engines/records/records.ts";
import { ApiError } from "#kernel/api-error.ts";
import { listLinksByNumber } from "./console.store.ts";

interface Options {
  readonly live: LiveClicks;
  readonly records: Records;
  readonly accountNo: number;
  readonly listenerId: string;
  /** Checked before anything is sent; the stream ends once it is false or fails. */
  readonly isAllowed: () => Promise<boolean>;
  readonly heartbeatMs?: number;
}

// Proxies close a connection that has been silent for a minute.
const HEARTBEAT_MS = 15_000;
/** Messages queued for a slow reader; further ones are dropped. */
const WAITING_MAX = 64;
const RETRY_SECONDS = "10";

/** The account's clicks as server-sent events, until the reader disconnects or loses access. */
export function liveStream(options: Options): ReadableStream<Uint8Array> {
  const { live, records, accountNo, listenerId, isAllowed, heartbeatMs = HEARTBEAT_MS } = options;
  const encoder = new TextEncoder();
  let end = (): void => {};

  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const send = (text: string): void => {
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text));
    };
    let isOver = false;
    const finish = (): void => {
      if (isOver) return;
      end();
      controller.close();
    };
    const sendIfAllowed = async (messages: readonly string[]): Promise<void> => {
      if (!(await isAllowed())) return finish();
      if (!isOver) for (const message of messages) send(message);
    };
    const sendClicks = async (clicks: readonly LiveClickRecord[]): Promise<void> => {
      const described = await describeClicks(records, accountNo, clicks);
      await sendIfAllowed(described.map((click) => `event: click\ndata: ${JSON.stringify(click)}\n\n`));
    };
    const unwatch = live.watch({
      accountNo,
      listenerId,
      onEnd: finish,
      onClicks: (clicks) => void sendClicks(clicks).catch(finish),
    });
    if (!unwatch) throw tooMany();
    const heartbeat = setInterval(() => void sendIfAllowed([": still here\n\n"]).catch(finish), heartbeatMs);
    end = () => {
      isOver = true;
      clearInterval(heartbeat);
      unwatch();
    };
    send(": connected\n\n");
  };

  return new ReadableStream<Uint8Array>(
    { start, cancel: () => end() },
    new CountQueuingStrategy({ highWaterMark: WAITING_MAX }),
  );
}

const tooMany = (): ApiError =>
  new ApiError("unavailable", "Too many pages are watching clicks right now.").withHeader("retry-after", RETRY_SECONDS);

/** Leaves out clicks on links that were deleted in the meantime. */
async function describeClicks(
  records: Records,
  accountNo: number,
  clicks: readonly LiveClickRecord[],
): Promise<LiveClick[]> {
  const numbers = [...new Set(clicks.map(({ link_no }) => link_no))];
  const rows = await listLinksByNumber(records.read, accountNo, numbers);
  const links = new Map(rows.map(({ no, ...link }) => [no, link]));
  return clicks.flatMap((click) => {
    const link = links.get(click.link_no);
    return link ? [{ ...toPublicClick(click), link }] : [];
  });
}
