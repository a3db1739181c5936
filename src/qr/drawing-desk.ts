import { ApiError } from "#kernel/api-error.ts";
import { BadPicture } from "./bad-picture.ts";
import type { DrawnImage, ImageOrder } from "./draw-image.ts";
import type { DrawingAnswer, DrawingRequest, DrawingResult, DrawingTask } from "./drawing-worker.ts";

export interface DrawingDesk {
  draw(order: ImageOrder): Promise<DrawnImage>;
  /** The file as it may be kept. Throws `BadPicture` when it cannot be a logo. */
  redrawLogo(file: Uint8Array): Promise<Uint8Array>;
  close(): void;
}

const WAITING_MAX = 512;
/** A worker has memory of its own, which most deployments need only now and then. */
const IDLE_MS = 60_000;
const RETRY_AFTER_SECONDS = "1";

type Waiter = PromiseWithResolvers<DrawingResult>;

/** Draws beside the event loop, one image at a time, in a worker that is started when first needed. */
export function openDrawingDesk(): DrawingDesk {
  const waiting = new Map<number, Waiter>();
  let worker: Worker | null = null;
  let idle: Timer | undefined;
  let lastId = 0;

  const stop = (): void => {
    clearTimeout(idle);
    worker?.terminate();
    worker = null;
  };

  const settle = (answer: DrawingAnswer): void => {
    const waiter = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("result" in answer) waiter?.resolve(answer.result);
    else waiter?.reject(new Error(answer.error));
    if (waiting.size > 0) return;
    worker?.unref();
    idle = setTimeout(stop, IDLE_MS);
    idle.unref();
  };

  const start = (): Worker => {
    const started = new Worker(new URL("./drawing-worker.ts", import.meta.url).href);
    started.onmessage = ({ data }: MessageEvent<DrawingAnswer>) => settle(data);
    started.onerror = ({ message }) => {
      stop();
      for (const waiter of waiting.values()) waiter.reject(new Error(message));
      waiting.clear();
    };
    return started;
  };

  const carryOut = (task: DrawingTask): Promise<DrawingResult> => {
    if (waiting.size >= WAITING_MAX) {
      const busy = new ApiError("unavailable", "Too many images are being drawn. Try again shortly.");
      throw busy.withHeader("retry-after", RETRY_AFTER_SECONDS);
    }
    clearTimeout(idle);
    worker ??= start();
    worker.ref();
    const waiter: Waiter = Promise.withResolvers();
    lastId += 1;
    waiting.set(lastId, waiter);
    worker.postMessage({ id: lastId, task } satisfies DrawingRequest);
    return waiter.promise;
  };

  return {
    async draw(order) {
      return (await carryOut({ kind: "image", order })) as DrawnImage;
    },
    async redrawLogo(file) {
      const result = await carryOut({ kind: "logo", file });
      if ("badPicture" in result) throw new BadPicture(result.badPicture);
      if ("bytes" in result) return result.bytes;
      throw new Error("a logo cannot be too small");
    },
    close: stop,
  };
}
