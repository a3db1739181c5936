import type { Workspace } from "#console/api/session.tsx";
import { startUpload, UPLOAD_CHUNK_BYTES_MAX, uploadChunk } from "#contract/console/imports.ts";

interface Upload {
  readonly file: File;
  readonly call: Workspace["call"];
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

/** Sends a file in parts, so that neither the page nor the server holds all of it, and returns its id. */
export async function uploadFile({ file, call, signal, onProgress }: Upload): Promise<string> {
  const { id } = await call(startUpload);
  for (let offset = 0; offset < file.size || offset === 0; ) {
    signal.throwIfAborted();
    const part = new Uint8Array(await file.slice(offset, offset + UPLOAD_CHUNK_BYTES_MAX).arrayBuffer());
    const { bytes } = await call(uploadChunk, { params: { id }, body: { offset, data: toBase64(part) }, signal });
    offset = Math.max(bytes, offset + 1);
    onProgress(file.size === 0 ? 1 : bytes / file.size);
  }
  return id;
}

// More arguments than that at once are too many for some browsers.
const CHARACTERS_AT_ONCE = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHARACTERS_AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHARACTERS_AT_ONCE));
  }
  return btoa(text);
}
