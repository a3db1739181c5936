import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { deleteLink } from "#contract/links.ts";
import { type ConsoleServer, OWNER_EMAIL, startConsole } from "#test/support/console-client.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

interface Entry {
  readonly account_id: string | null;
  readonly actor: string;
  readonly actor_name: string | null;
  readonly from: string;
  readonly action: string;
  readonly subject: string;
  readonly subject_name: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

let console: ConsoleServer;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.stop());

async function audit(...args: readonly string[]): Promise<Entry[]> {
  const { code, stdout, stderr } = await console.server.kurz(["audit", "list", "--json", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return (JSON.parse(stdout) as { data: Entry[] }).data;
}

test("an operator sees who changed a link, with which token, and from where", async () => {
  const { owner, server } = console;
  const token = await server.newToken(owner.account);
  const response = await fetch(`${server.url}/api/v1/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ destination_url: "https://example.com/", slug: "audited" }),
  });
  const { id } = (await response.json()) as { id: string };
  expect(response.status).toBe(201);
  await owner.do(deleteLink, { params: { id } });
  const entries = await audit("--account", owner.account, "--limit", "2");
  expect(entries).toMatchObject([
    { action: "link.deleted", subject: id, from: "console", actor_name: OWNER_EMAIL, details: { slug: "audited" } },
    { action: "link.created", subject: id, from: "api", actor: `token:${token.slice(5, 17)}`, actor_name: "Test" },
  ]);
  const { stdout } = await server.kurz(["audit", "list", "--account", owner.account, "--limit", "1"]);
  expect(stdout).toMatch(/link\.deleted .*slug=audited\nFor older entries, add --before \d+-\d+\n$/);
});

test("sign-ins are listed without an account, refused ones too, without addresses or typed text", async () => {
  const { email } = await console.newOwner();
  const guest = console.guest();
  await guest.request("POST", "/console/api/sign-in", {
    headers: { "user-agent": FIREFOX },
    body: { email, password: "three small grey herons" },
  });
  await console.guest().signIn("nobody@example.com", "not the password");
  const isListed = async (action: string, subject: string) =>
    (await audit("--since", "1h")).some((entry) => entry.action === action && entry.subject === subject);
  await until("the refusal is logged", () => isListed("session.refused", "unknown"));
  const entries = await audit("--since", "1h");
  expect(entries.find(({ from }) => from === "console, Firefox on Linux")).toMatchObject({
    action: "session.started",
    account_id: null,
    actor_name: email,
  });
  expect(JSON.stringify(entries)).not.toMatch(/127\.0\.0\.1|nobody@example\.com|not the password|Gecko/);
});
