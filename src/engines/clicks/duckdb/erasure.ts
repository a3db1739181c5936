import type { LinkNumber } from "../clicks-engine.ts";
import { DAY_MS } from "../slots.ts";
import { int, type Session } from "./session.ts";
import { dropSummaries } from "./summaries.ts";

const tables = [
  ...["clicks", "compacted_clicks", "compacted_visitors", "link_tags", "summaries", "summarised"],
  ...["imported_clicks", "imported_visits", "imported_visitors"],
];

/** Call in a transaction. */
export async function eraseLinkClicks(session: Session, links: readonly LinkNumber[]): Promise<void> {
  const list = links.map(({ accountNo, linkNo }) => `(${int(accountNo)}, ${int(linkNo)})`).join(", ");
  const erased = `(values ${list}) e (account_no, link_no)`;
  await session.run(`insert into erased_links select * from ${erased}`);
  await dropSummaries(
    session,
    `select distinct account_no, at_ms // ${DAY_MS} as day from clicks join ${erased} using (account_no, link_no)`,
  );
  for (const table of tables) {
    await session.run(
      `delete from ${table} t using ${erased} where t.account_no = e.account_no and t.link_no = e.link_no`,
    );
  }
}

/** Call in a transaction. */
export async function eraseAccountClicks(session: Session, accountNo: number): Promise<void> {
  await session.run(`insert into erased_accounts values (${int(accountNo)})`);
  for (const table of [...tables, "imported_batches"]) {
    await session.run(`delete from ${table} where account_no = ${int(accountNo)}`);
  }
}
