import { createHash, createHmac } from "node:crypto";
import { findSegmentName } from "#clicks/journal/segment-name.ts";

const ID_BYTES = 16;

/** Names clicks by who wrote them and in which order. Keyed, since the plain numbers would tell how busy the service is. */
export function clickIds(secretKey: string) {
  const key = createHash("sha256").update(`click-id:${secretKey}`).digest();
  return (segment: string, seq: number): string => {
    const name = findSegmentName(segment);
    if (!name) throw new Error(`no segment is called "${segment}"`);
    const { node, writer, epoch } = name;
    const digest = createHmac("sha256", key).update(`${node}/${writer}/${epoch}/${seq}`).digest();
    return `clk_${digest.toString("hex", 0, ID_BYTES)}`;
  };
}
export type ClickIds = ReturnType<typeof clickIds>;
