import { join } from "node:path";
import { encodeClick, openClickShapes } from "#clicks/click-shapes.ts";
import { openJournalWriter } from "#clicks/journal/journal-writer.ts";
import { readRecords } from "./change-records.ts";
import type { KurzServer } from "./kurz-server.ts";
import { plainClick } from "./plain-click.ts";

export interface PastClicks extends Partial<typeof plainClick> {
  readonly link: string;
  readonly at: Date;
  /** How many such clicks, each by a different visitor. */
  readonly times?: number;
}

interface Numbers {
  readonly link_no: number;
  readonly account_no: number;
}

const numbersOfLinks = (server: Pick<KurzServer, "dataDir">): ReadonlyMap<string, Numbers> =>
  new Map(
    readRecords<Numbers & { id: string }>(server, "select id, no as link_no, account_no from links").map(
      ({ id, ...numbers }) => [id, numbers],
    ),
  );

/** Adds clicks to the journal as if an earlier server had left them; the running one ingests them. */
export async function leavePastClicks(
  { dataDir }: Pick<KurzServer, "dataDir">,
  clicks: readonly PastClicks[],
): Promise<void> {
  const known = numbersOfLinks({ dataDir });
  const journal = openJournalWriter({
    directory: join(dataDir, "journal"),
    node: `past-${Bun.randomUUIDv7("hex").slice(-12)}`,
    writer: 0,
    epoch: 0,
    durability: "os",
    bytesMax: 1 << 30,
    onLoss: (reason) => {
      throw new Error(`a click was lost: ${reason}`);
    },
  });
  const shapes = openClickShapes();
  let visitor = 0;
  for (const { link, at, times = 1, ...fields } of clicks) {
    const numbers = known.get(link);
    if (!numbers) throw new Error(`there is no link ${link}`);
    for (let time = 0; time < times; time += 1) {
      visitor += 1;
      const hash = visitor.toString(16).padStart(16, "0");
      const click = { ...plainClick, visitor: hash, ...fields, ...numbers, at_ms: at.getTime() };
      const { line, uses } = encodeClick(click, shapes);
      await journal.append(line, uses);
    }
  }
  await journal.close();
}
