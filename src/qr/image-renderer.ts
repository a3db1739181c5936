import { ApiError } from "#kernel/api-error.ts";
import { shippedWorker } from "#kernel/shipped-files.ts";
import { openWorkerCalls } from "#kernel/worker-calls.ts";
import { InvalidLogo } from "./invalid-logo.ts";
import type { ImageRequest, RenderedImage } from "./render-image.ts";
import type { RenderResult, RenderTask } from "./render-worker.ts";

export interface ImageRenderer {
  render(request: ImageRequest): Promise<RenderedImage>;
  /** Returns the file as it should be stored. Throws `InvalidLogo` if it can't be used. */
  normalizeLogo(file: Uint8Array): Promise<Uint8Array>;
  close(): void;
}

const WAITING_MAX = 512;
/** A worker has its own memory, which most deployments only need occasionally. */
const IDLE_MS = 60_000;
const RETRY_AFTER_SECONDS = "1";

const module = shippedWorker("src/qr/render-worker.ts");

/** Renders in a worker, one image at a time. The worker starts on first use. */
export function openImageRenderer(): ImageRenderer {
  const worker = openWorkerCalls<RenderTask, RenderResult>({ module, idleMsMax: IDLE_MS });

  const run = async (task: RenderTask): Promise<RenderResult> => {
    if (worker.pending >= WAITING_MAX) {
      const busy = new ApiError("unavailable", "Too many images are being generated. Try again shortly.");
      throw busy.withHeader("retry-after", RETRY_AFTER_SECONDS);
    }
    return worker.call(task);
  };

  return {
    async render(request) {
      return (await run({ kind: "image", request })) as RenderedImage;
    },
    async normalizeLogo(file) {
      const result = await run({ kind: "logo", file });
      if ("invalidLogo" in result) throw new InvalidLogo(result.invalidLogo);
      if ("bytes" in result) return result.bytes;
      throw new Error("unexpected result for a logo");
    },
    close: worker.stop,
  };
}
