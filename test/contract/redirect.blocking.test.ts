import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blockReasons } from "#contract/errors.ts";
import { type Api, errorFrom, newLink, outcomeOf, startApi } from "#test/support/api-client.ts";
import { askOnce } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-blocklist-"));
const file = join(directory, "blocklist.txt");
/** In one step, so that the server never reads half of it. */
function writeList(...lines: string[]): void {
  writeFileSync(`${file}.new`, `# a list for tests\n${lines.join("\n")}\n`);
  renameSync(`${file}.new`, file);
}

let api: Api;

beforeAll(async () => {
  writeList();
  api = await startApi({ KURZ_BLOCKLIST_FILE: file });
});
afterAll(async () => {
  await api.stop();
  rmSync(directory, { recursive: true, force: true });
});

const open = (slug: string) => visit(api.server, `/${slug}`);
const opensWith = (slug: string, status: number): Promise<number> =>
  until(`${slug} answers ${status}`, async () => (await open(slug)).status === status);

async function command(...args: string[]): Promise<void> {
  const { code, stderr } = await api.server.kurz(args);
  expect([code, stderr]).toEqual([0, ""]);
}

describe("a link that the operator blocks", () => {
  test.each(blockReasons.map((reason) => [reason]))(
    "stops, for %s, and visitors and its owner see why",
    async (reason) => {
      const { kurz } = await api.newCaller();
      const link = await newLink(kurz);
      expect((await open(link.slug)).status).toBe(302);
      await command("links", "block", link.slug.toUpperCase(), "--reason", reason);
      await opensWith(link.slug, 410);
      const classes = {
        malware: "leading to malware",
        phishing: "phishing",
        spam: "spam",
        legal: "legal",
        manual: "operator",
      };
      expect((await open(link.slug)).text).toContain(classes[reason]);
      const blocked = await kurz.links.get(link.id);
      expect(blocked).toMatchObject({ state: "active", version: 2, blocked: { reason } });
      expect(Date.parse(blocked.blocked?.at ?? "")).toBeWithin(Date.parse(link.created_at), Date.now() + 1);

      await command("links", "unblock", link.id);
      await opensWith(link.slug, 302);
      expect(await kurz.links.get(link.id)).toMatchObject({ version: 3, blocked: null });
    },
  );

  test("can be on a domain of its account, with a slug that others have, too", async () => {
    const { account, kurz } = await api.newCaller();
    const domain = "blocked.acme.example";
    await command("domains", "add", "--account", account, "--name", domain, "--verified");
    const link = await newLink(kurz, { domain, slug: "twice" });
    const namesake = await newLink((await api.newCaller()).kurz, { slug: "twice" });
    await command("links", "block", `${domain}/twice`, "--reason", "spam");
    expect((await kurz.links.get(link.id)).blocked?.reason).toBe("spam");
    expect((await open(namesake.slug)).status).toBe(302);

    await command("links", "unblock", link.short_url);
    expect((await kurz.links.get(link.id)).blocked).toBe(null);
    await command("links", "block", namesake.short_url, "--reason", "spam");
    await opensWith(namesake.slug, 410);
    expect((await kurz.links.get(link.id)).blocked).toBe(null);
  });
});

describe("an account that the operator suspends", () => {
  test("loses its links and tokens within a second, and gets both back", async () => {
    const { account, token, kurz } = await api.newCaller();
    const other = await api.newCaller();
    const [link, foreign] = [await newLink(kurz), await newLink(other.kurz)];
    expect((await open(link.slug)).status).toBe(302);
    await command("accounts", "suspend", account);
    await opensWith(link.slug, 410);
    const page = await open(link.slug);
    expect(page.text).toContain("suspended");
    expect(page.text).not.toContain("example.com/");
    expect((await visit(api.server, `/${link.slug}+`)).status).toBe(410);
    expect(outcomeOf(await api.call({ path: "/api/v1/me", token }))).toBe("403 account_suspended");
    expect((await open(foreign.slug)).status).toBe(302);

    await command("accounts", "resume", account);
    await opensWith(link.slug, 302);
    expect(await kurz.links.get(link.id)).toEqual(link);
  });
});

describe("the block file", () => {
  test("blocks the links that it names, refuses new ones, and unblocks them once it no longer does", async () => {
    const { kurz, token } = await api.newCaller();
    const link = await newLink(kurz, { destination_url: "https://sub.bad.example/x" });
    const page = await newLink(kurz, { destination_url: "https://files.example/user/1" });
    const free = await newLink(kurz, { destination_url: "https://files.example/users" });
    writeList("phishing bad.example", "malware https://files.example/user");
    await opensWith(link.slug, 410);
    await opensWith(page.slug, 410);
    expect((await open(free.slug)).status).toBe(302);
    expect((await open(link.slug)).text).toContain("phishing");
    expect(await kurz.links.get(link.id)).toMatchObject({ version: 2, blocked: { reason: "phishing" } });

    const { details } = await errorFrom(
      newLink(kurz, { destination_url: "https://bad.example/" }),
      "destination_blocked",
    );
    expect(details).toEqual({ reason: "phishing", field: "destination_url" });
    const patch = kurz.links.update(free.id, { destination_url: "https://files.example/user/2" });
    expect((await errorFrom(patch, "destination_blocked")).details).toEqual({
      reason: "malware",
      field: "destination_url",
    });
    expect((await kurz.links.update(link.id, { title: "still mine" })).version).toBe(3);
    expect((await kurz.links.get(free.id)).version).toBe(1);
    const answer = await api.call({
      method: "POST",
      path: "/api/v1/links",
      token,
      json: { destination_url: "https://BAD.example." },
    });
    expect(outcomeOf(answer)).toBe("422 destination_blocked");

    writeList();
    await opensWith(link.slug, 302);
    await opensWith(page.slug, 302);
    expect(await kurz.links.get(link.id)).toMatchObject({ blocked: null });
    await newLink(kurz, { destination_url: "https://bad.example/" });
  });

  test("keeps visitors from the addresses of domains that it names, until it no longer does", async () => {
    const { account, kurz } = await api.newCaller();
    const name = "addresses.acme.example";
    await command("domains", "add", "--account", account, "--name", name, "--verified");
    const [domain] = (await kurz.domains.list({ name })).data;
    const id = domain?.id ?? "";
    const urls = {
      root_redirect_url: "https://listed.example/root",
      not_found_redirect_url: "https://acme.example/lost",
      expired_redirect_url: "https://sub.listed.example/end",
    };
    await kurz.domains.update(id, urls);
    const answerTo = async (target: string): Promise<string | number> => {
      const { status, headers } = await askOnce(api.server.port, { method: "GET", target, headers: [["Host", name]] });
      return headers.get("Location") ?? status;
    };
    expect(await answerTo("/")).toBe(urls.root_redirect_url);
    const link = await newLink(kurz, { domain: name, expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    const afterItsEnd = async () => {
      const at = new Date(Date.now() + 7_200_000).toISOString();
      const { status, location } = await kurz.links.resolve(link.id, { at });
      return [status, location];
    };
    expect(await afterItsEnd()).toEqual([302, urls.expired_redirect_url]);

    writeList("spam listed.example");
    await until("the address is no longer used", async () => (await answerTo("/")) !== urls.root_redirect_url);
    expect(await answerTo("/")).not.toContain("listed.example");
    expect(await answerTo("/nothing")).toBe(urls.not_found_redirect_url);
    expect(await kurz.domains.get(id)).toMatchObject({
      ...urls,
      blocked_urls: [
        { field: "root_redirect_url", reason: "spam" },
        { field: "expired_redirect_url", reason: "spam" },
      ],
    });
    expect(await afterItsEnd()).toEqual([410, null]);
    // What isn't changed stays blocked, and what is has been checked.
    const change = { root_redirect_url: "https://acme.example/root" };
    expect((await kurz.domains.update(id, change)).blocked_urls).toEqual([
      { field: "expired_redirect_url", reason: "spam" },
    ]);
    expect(await answerTo("/")).toBe(change.root_redirect_url);
    await errorFrom(kurz.domains.update(id, { root_redirect_url: urls.root_redirect_url }), "destination_blocked");

    writeList();
    await until("nothing is blocked", async () => (await kurz.domains.get(id)).blocked_urls.length === 0);
    expect((await kurz.domains.get(id)).expired_redirect_url).toBe(urls.expired_redirect_url);
  });

  test("decides again about a link that is restored from the trash", async () => {
    const { account, kurz } = await api.newCaller();
    const bad = { destination_url: "https://trash.example/" };
    const [link, watch] = [await newLink(kurz, bad), await newLink(kurz, bad)];
    const opensAgain = async (status: number, ...lines: string[]) => {
      writeList(...lines);
      await opensWith(watch.slug, status);
    };
    await opensAgain(410, "spam trash.example");
    await kurz.links.delete(link.id);
    await opensAgain(302);
    expect((await kurz.links.restore(link.id)).blocked).toBe(null);
    await opensWith(link.slug, 302);

    await kurz.links.delete(link.id);
    await opensAgain(410, "phishing trash.example");
    expect((await kurz.links.restore(link.id)).blocked).toMatchObject({ reason: "phishing" });
    await opensWith(link.slug, 410);
    const { stdout } = await api.server.kurz(["audit", "list", "--account", account, "--json"]);
    const entries = JSON.parse(stdout).data as { action: string; subject: string; from: string; details: unknown }[];
    const { slug } = link;
    const blocks = entries.filter(({ subject, action }) => subject === link.id && action.endsWith("blocked"));
    expect(blocks.map(({ action, from, details }) => [action, from, details])).toEqual([
      ["link.blocked", "server", { slug, reason: "phishing" }],
      ["link.unblocked", "server", { slug }],
      ["link.blocked", "server", { slug, reason: "spam" }],
    ]);
    writeList();
  });

  test("lifts no block set by the operator", async () => {
    const { kurz } = await api.newCaller();
    const both = await newLink(kurz, { destination_url: "https://both.example/" });
    const listed = await newLink(kurz, { destination_url: "https://both.example/2" });
    await command("links", "block", both.id, "--reason", "legal");
    writeList("spam both.example");
    await opensWith(listed.slug, 410);
    writeList();
    await opensWith(listed.slug, 302);
    expect(await kurz.links.get(both.id)).toMatchObject({ blocked: { reason: "legal" } });
    expect((await open(both.slug)).status).toBe(410);
  });

  test("stays in force unchanged while its new version is invalid", async () => {
    const { kurz } = await api.newCaller();
    writeList("spam kept.example");
    const link = await waitForRefusal(() => newLink(kurz, { destination_url: "https://kept.example/" }));
    expect(link).toBe("destination_blocked");
    writeList("nonsense in three words");
    await until("the mistake is logged", () => api.server.output.stderr.includes("line 2"));
    await errorFrom(newLink(kurz, { destination_url: "https://kept.example/" }), "destination_blocked");
    writeList();
  });
});

/** Retries until it fails, and returns the error code. */
async function waitForRefusal(attempt: () => Promise<unknown>): Promise<string> {
  let code = "";
  await until("the block list is in force", async () => {
    code = await attempt().then(
      () => "",
      (error: { readonly code: string }) => error.code,
    );
    return code !== "";
  });
  return code;
}
