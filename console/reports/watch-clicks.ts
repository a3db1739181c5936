import { send } from "#console/api/call.ts";
import { watchClicks as endpoint, type LiveClick } from "#contract/console/links.ts";
import { EventStreamParser } from "./event-stream.ts";

interface ClickWatcher {
  readonly onClicks: (clicks: readonly LiveClick[]) => void;
  readonly onConnected: (isConnected: boolean) => void;
}

const WAIT_MS_MIN = 1000;
const WAIT_MS_MAX = 60_000;

/** Follows the account's clicks until the signal; a stream that ends is opened again, each time after a longer wait. */
export async function watchClicks(accountId: string, watcher: ClickWatcher, signal: AbortSignal): Promise<void> {
  let waitMs = WAIT_MS_MIN;
  while (!signal.aborted) {
    try {
      await followOnce(accountId, signal, {
        ...watcher,
        onConnected: (isConnected) => {
          waitMs = WAIT_MS_MIN;
          watcher.onConnected(isConnected);
        },
      });
    } catch {
      // It could not be opened, or broke off: the next try tells.
    }
    if (signal.aborted) return;
    watcher.onConnected(false);
    // Spread out, so that a server that comes back is not met by everyone at once.
    await wait(waitMs * (0.5 + Math.random()), signal);
    waitMs = Math.min(WAIT_MS_MAX, waitMs * 2);
  }
}

async function followOnce(accountId: string, signal: AbortSignal, watcher: ClickWatcher): Promise<void> {
  const { body } = await send(endpoint, { signal }, accountId);
  if (!body) return;
  const parser = new EventStreamParser();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  watcher.onConnected(true);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const clicks = parser.push(value).flatMap(({ name, data }) => (name === "click" ? readClick(data) : []));
    if (clicks.length > 0) watcher.onClicks(clicks);
  }
}

/** Half a line is worth nothing. */
function readClick(data: string): LiveClick[] {
  try {
    return [JSON.parse(data) as LiveClick];
  } catch {
    return [];
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
  });
}
