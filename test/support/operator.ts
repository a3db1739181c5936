import { sendToServer } from "#commands/admin-client.ts";
import { dataPaths } from "#config/data-paths.ts";
import type { Domain } from "#contract/domain-record.ts";
import { changeRecords } from "./change-records.ts";
import { tokenIdOf } from "./forged-token.ts";
import type { KurzServer } from "./kurz-server.ts";

export interface TokenOptions {
  readonly scopes?: string;
  readonly rateLimit?: number;
  readonly name?: string;
}

const PASSWORD = "a password that only tests know";
const EMAIL = "owner@example.com";

/** The operator of a running server. Commands go straight to its socket, since a process for each would be slow. */
export function operatorOf(server: KurzServer) {
  const paths = dataPaths(server.dataDir);
  const secrets = new Set([PASSWORD]);
  const run = (command: string, input: Readonly<Record<string, string | true>>): Promise<unknown> =>
    sendToServer(paths.adminSocket, command, input);

  return {
    /** Every password and token used so far. */
    secrets,

    /** One user owns all accounts, so a password is hashed only once. */
    async newAccount(plan?: string): Promise<string> {
      const input = { email: EMAIL, name: "Test", password: PASSWORD, ...(plan !== undefined && { plan }) };
      return ((await run("accounts create", input)) as { id: string }).id;
    },

    async newToken(account: string, { scopes = "all", rateLimit, name = "Test" }: TokenOptions = {}): Promise<string> {
      const limit = rateLimit === undefined ? {} : { "rate-limit": String(rateLimit) };
      const result = await run("tokens create", { account, name, scopes, expires: "never", ...limit });
      const { token } = result as { token: string };
      secrets.add(token);
      return token;
    },

    async newEndpoint(account: string, url: string, events = "all"): Promise<{ id: string; secret: string }> {
      const endpoint = (await run("webhooks create", { account, url, events })) as { id: string; secret: string };
      secrets.add(endpoint.secret);
      return endpoint;
    },

    deleteEndpoint: (endpoint: string) => run("webhooks delete", { endpoint }),
    revokeToken: (token: string) => run("tokens revoke", { token: tokenIdOf(token) }),
    suspend: (account: string) => run("accounts suspend", { account }),
    resume: (account: string) => run("accounts resume", { account }),
    /** A verified domain, without a record. */
    vouchFor: async (account: string, name: string) =>
      (await run("domains add", { account, name, verified: true })) as Domain,
    restore: (link: string) => run("links restore", { link }),
    block: (link: string) => run("links block", { link, reason: "manual" }),
    setLogo: (account: string, png: Uint8Array) =>
      run("accounts set-logo", { account, file: "logo.png", picture: Buffer.from(png).toString("base64") }),
    removeLogo: (account: string) => run("accounts remove-logo", { account }),
    setPlan: (account: string, plan: string) => run("plans set", { account, plan }),

    /** The shortest lifetime of a token is an hour, so its expiry is written to the records. */
    expireToken: (token: string) =>
      changeRecords(server, "update tokens set expires_at = ? where id = ?", Date.now() - 1, tokenIdOf(token)),
  };
}
export type Operator = ReturnType<typeof operatorOf>;
