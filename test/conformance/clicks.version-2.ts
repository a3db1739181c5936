import { DuckDBInstance } from "@duckdb/node-api";
import { shapesMigration } from "#engines/clicks/duckdb/migrations/shapes.ts";
import { sessionOn } from "#engines/clicks/duckdb/session.ts";
import { type Version1, writeVersion1 } from "./clicks.version-1.ts";

/** A clicks file as the second release left it: texts by number, without domains and rules. */
export async function writeVersion2(path: string, content: Version1): Promise<void> {
  await writeVersion1(path, content);
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await shapesMigration.run(sessionOn(connection), { onProgress: () => {}, stepRows: 1_000_000 });
  await connection.run("force checkpoint");
  connection.closeSync();
  instance.closeSync();
}
