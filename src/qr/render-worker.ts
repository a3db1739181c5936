import { answerCalls } from "#kernel/worker-calls.ts";
import { InvalidLogo } from "./invalid-logo.ts";
import { type ImageRequest, normalizeLogo, type RenderedImage, renderImage } from "./render-image.ts";

export type RenderTask =
  | { readonly kind: "image"; readonly request: ImageRequest }
  | { readonly kind: "logo"; readonly file: Uint8Array };

export type RenderResult = RenderedImage | { readonly invalidLogo: string };

answerCalls(run, (result) => ("bytes" in result ? [result.bytes.buffer as ArrayBuffer] : []));

function run(task: RenderTask): RenderResult {
  if (task.kind === "image") return renderImage(task.request);
  try {
    return { bytes: normalizeLogo(task.file) };
  } catch (error) {
    if (error instanceof InvalidLogo) return { invalidLogo: error.message };
    throw error;
  }
}
