import { answerCalls } from "#kernel/worker-calls.ts";
import { BadPicture } from "./bad-picture.ts";
import { type DrawnImage, drawImage, type ImageOrder, redrawLogo } from "./draw-image.ts";

export type DrawingTask =
  | { readonly kind: "image"; readonly order: ImageOrder }
  | { readonly kind: "logo"; readonly file: Uint8Array };

export type DrawingResult = DrawnImage | { readonly badPicture: string };

answerCalls(carryOut, (result) => ("bytes" in result ? [result.bytes.buffer as ArrayBuffer] : []));

function carryOut(task: DrawingTask): DrawingResult {
  if (task.kind === "image") return drawImage(task.order);
  try {
    return { bytes: redrawLogo(task.file) };
  } catch (error) {
    if (error instanceof BadPicture) return { badPicture: error.message };
    throw error;
  }
}
