import { reasonOf } from "#kernel/error-text.ts";
import type { ClicksFacts } from "../clicks-facts.ts";
import { NEEDED_SETTING, VERSION_MIN } from "./schema.ts";
import { openSession } from "./session.ts";

const ANSWER_MS_MAX = 5000;

export async function inspectClickHouse(url: string): Promise<ClicksFacts> {
  const session = openSession({ url, connectionsMax: 1, statementTimeoutMs: ANSWER_MS_MAX });
  try {
    const [row] = await session.rows(
      `select version(), (select count() from system.settings where name = {name:String}),
        (select count() from system.tables where database = currentDatabase()),
        (select sum(bytes_on_disk) from system.parts where database = currentDatabase() and active),
        (select count() from system.replicas where database = currentDatabase() and is_readonly)`,
      { values: { name: NEEDED_SETTING } },
    );
    const [disk] = await session.rows(
      "select free_space, total_space from system.disks where total_space > 0 order by free_space / total_space limit 1",
    );
    return {
      version: `ClickHouse ${row?.[0]}`,
      versionMin: Number(row?.[1]) === 0 ? VERSION_MIN : null,
      tables: Number(row?.[2]),
      bytes: Number(row?.[3]),
      disk: disk === undefined ? null : { freeBytes: Number(disk[0]), totalBytes: Number(disk[1]) },
      readOnlyTables: Number(row?.[4]),
    };
  } catch (error) {
    return { problem: reasonOf(error) };
  } finally {
    await session.close();
  }
}
