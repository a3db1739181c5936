import { ApiError } from "#kernel/api-error.ts";
import { openWorkerCalls } from "#kernel/worker-calls.ts";
import { BadPicture } from "./bad-picture.ts";
import type { DrawnImage, ImageOrder } from "./draw-image.ts";
import type { DrawingResult, DrawingTask } from "./drawing-worker.ts";

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

const module = new URL("./drawing-worker.ts", import.meta.url);

/** Draws in a worker, one image at a time, which is started when first needed. */
export function openDrawingDesk(): DrawingDesk {
  const worker = openWorkerCalls<DrawingTask, DrawingResult>({ module, idleMsMax: IDLE_MS });

  const carryOut = async (task: DrawingTask): Promise<DrawingResult> => {
    if (worker.pending >= WAITING_MAX) {
      const busy = new ApiError("unavailable", "Too many images are being drawn. Try again shortly.");
      throw busy.withHeader("retry-after", RETRY_AFTER_SECONDS);
    }
    return worker.call(task);
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
    close: worker.stop,
  };
}
