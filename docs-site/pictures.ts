import { join } from "node:path";
import type { Picture } from "./render-markdown.ts";

// Screenshots have two pixels for each of the screen, and pages are narrower than most of them.
const DENSITY = 2;
const WIDTH_MAX = 1600;
const QUALITY = 86;

/** Of screenshots, in Markdown and in HTML. */
const PICTURE = /(?:\]\(|src(?:set)?=")((?:\.\.\/|docs\/)?screenshots\/[\w-]+\.png)/g;

export const picturesIn = (markdown: string): string[] => [...markdown.matchAll(PICTURE)].map(([, path = ""]) => path);

interface ConvertedPicture extends Omit<Picture, "src"> {
  readonly bytes: Uint8Array;
}

/** A fifth of the bytes that the same picture has in the repository. */
export async function convertPicture(root: string, file: string): Promise<ConvertedPicture> {
  const path = join(root, file);
  const { width, height } = await new Bun.Image(path).metadata();
  const bytes = await new Bun.Image(path).resize(Math.min(width, WIDTH_MAX)).webp({ quality: QUALITY }).bytes();
  return { width: width / DENSITY, height: height / DENSITY, bytes };
}
