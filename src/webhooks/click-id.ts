import { createHash, createHmac } from "node:crypto";
import { findSegmentName } from "#clicks/journal/segment-name.ts";

const ID_BYTES = 16;

/** Derives click ids from writer and sequence number. Keyed, because plain numbers would reveal how busy the service is. */
export function clickIds(secretKey: string) {
  const key = createHash("sha256").update(`click-id:${secretKey}`).digest();
  return (segment: string, seq: number): string => {
    const name = findSegmentName(segment);
    if (!name) throw new Error(`"${segment}" is not a segment name`);
    const { node, writer, epoch } = name;
    const digest = createHmac("sha256", key).update(`${node}/${writer}/${epoch}/${seq}`).digest();
    return `clk_${digest.toString("hex", 0, ID_BYTES)}`;
  };
}
export type ClickIds = ReturnType<typeof clickIds>;
