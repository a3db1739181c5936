import { BadPicture } from "./bad-picture.ts";
import { type DrawnImage, drawImage, type ImageOrder, redrawLogo } from "./draw-image.ts";

export type DrawingTask =
  | { readonly kind: "image"; readonly order: ImageOrder }
  | { readonly kind: "logo"; readonly file: Uint8Array };

export interface DrawingRequest {
  readonly id: number;
  readonly task: DrawingTask;
}

export type DrawingResult = DrawnImage | { readonly badPicture: string };

export type DrawingAnswer =
  | { readonly id: number; readonly result: DrawingResult }
  | { readonly id: number; readonly error: string };

declare const self: Worker;

self.onmessage = ({ data: { id, task } }: MessageEvent<DrawingRequest>) => {
  try {
    const result = carryOut(task);
    self.postMessage({ id, result } satisfies DrawingAnswer, "bytes" in result ? [result.bytes.buffer] : []);
  } catch (error) {
    self.postMessage({ id, error: String(error) } satisfies DrawingAnswer);
  }
};

function carryOut(task: DrawingTask): DrawingResult {
  if (task.kind === "image") return drawImage(task.order);
  try {
    return { bytes: redrawLogo(task.file) };
  } catch (error) {
    if (error instanceof BadPicture) return { badPicture: error.message };
    throw error;
  }
}
