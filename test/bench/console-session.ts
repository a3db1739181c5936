import { Database } from "bun:sqlite";
import { sendToServer } from "#commands/admin-client.ts";
import { dataPaths } from "#config/data-paths.ts";
import { newId } from "#kernel/ids.ts";
import { ConsoleClient, OWNER_EMAIL, PASSWORD } from "#test/support/console-client.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";

/** Someone who is signed in, and owns an account that was written directly to the records without an owner. */
export async function openSession({ dataDir, port }: KurzServer, account: string): Promise<ConsoleClient> {
  const paths = dataPaths(dataDir);
  const person = { email: OWNER_EMAIL, name: "Ada", password: PASSWORD };
  await sendToServer(paths.adminSocket, "accounts create", person);
  const records = new Database(paths.records);
  records.run("pragma busy_timeout = 5000");
  records.run(
    "insert into members (id, account_id, user_id, role, created_at) select ?, ?, id, 'owner', created_at from users",
    [newId("mem"), account],
  );
  records.close();
  const client = new ConsoleClient(`http://localhost:${port}`);
  client.account = account;
  const { status } = await client.signIn(person.email);
  if (status !== 200) throw new Error(`signing in was answered with ${status}`);
  return client;
}
