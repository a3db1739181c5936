import { signUp } from "#contract/console/session.ts";
import { changeRecords } from "./change-records.ts";
import { type ConsoleClient, PASSWORD } from "./console-client.ts";
import type { KurzServer } from "./kurz-server.ts";
import { addApp } from "./totp.ts";

interface Site {
  readonly server: KurzServer;
  guest(): ConsoleClient;
}

/** Someone who has signed up with another person's address, and has every other way in, too: an app and a passkey. */
export async function newSquatter(site: Site, email: string): Promise<ConsoleClient> {
  const squatter = site.guest();
  await squatter.do(signUp, { body: { email, name: "Eve", password: PASSWORD, account_name: "Trap" } });
  await addApp(squatter);
  changeRecords(
    site.server,
    `insert into passkeys (id, user_id, public_key, credential_id, counter, device_type, backed_up)
      select 'pky_squatter', id, 'x', 'x', 0, 'x', 0 from users where email = ?`,
    email,
  );
  return squatter;
}
