import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Link } from "#contract/link-record.ts";
import { testDomainService } from "#test/support/test-domains.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords } from "#test/support/test-records.ts";
import { findLinkNames } from "./links.store.ts";
import { getNamedLink } from "./named-link.ts";

const OWN_HOSTS = ["s.example:8080", "app.example"];
const NAME = "go.acme.example";

const opened = openTestRecords();
let own: Link;
let onDomain: Link;
let onOtherScript: Link;

beforeAll(async () => {
  const caller = await newTestCaller(opened.records);
  const domains = testDomainService(opened.records);
  for (const name of [NAME, "kürz.example"]) await domains.add(caller, name, { isVerified: true });
  const links = testLinkService(opened.records);
  own = await createTestLink(links, caller, { slug: "summer" });
  onDomain = await createTestLink(links, caller, { slug: "summer", domain: NAME });
  onOtherScript = await createTestLink(links, caller, { slug: "summer", domain: "kürz.example" });
  await createTestLink(links, caller, { slug: onDomain.id });
});
afterAll(() => opened.close());

const find = async (text: string): Promise<string> => (await getNamedLink(opened.records.read, text, OWN_HOSTS)).id;

test("a link is found by its id, even if another has that as its slug", async () => {
  expect(await find(own.id)).toBe(own.id);
  expect(await find(onDomain.id)).toBe(onDomain.id);
});

test("a slug alone is one on the instance's own domain", async () => {
  expect(await find("Summer")).toBe(own.id);
});

test.each([
  "s.example/summer",
  "http://s.example:8080/summer",
  "https://APP.example/Summer+",
  "s.example:80/summer?a=b",
])("%s is on the instance's own domain", async (address) => {
  expect(await find(address)).toBe(own.id);
});

test.each([`${NAME}/summer`, `https://${NAME}/Summer`, `HTTPS://${NAME}:8443/summer/more?a=b#c`, `${NAME}/summer+`])(
  "%s is on the account's domain",
  async (address) => {
    expect(await find(address)).toBe(onDomain.id);
  },
);

test("a domain may be written in its own script", async () => {
  expect(await find("kürz.example/summer")).toBe(onOtherScript.id);
  expect(await find("xn--krz-hoa.example/summer")).toBe(onOtherScript.id);
});

test("a host that nobody holds is not taken for the instance's own", async () => {
  await expect(find("go.acme.exmaple/summer")).rejects.toThrow("no account holds the domain");
});

test.each([`${NAME}/winter`, "winter", "/summer", "https://", `${NAME}/`, `${NAME}/summer sale`])(
  "%s is no link",
  async (text) => {
    await expect(find(text)).rejects.toThrow("no link has the");
  },
);

test("names that reports show have the domain of the link, unless it is the instance's own", async () => {
  const { account_no } = await getNamedLink(opened.records.read, own.id, OWN_HOSTS);
  const names = await findLinkNames(opened.records.read, account_no, [own.id, onDomain.id]);
  expect(new Map(names.map(({ id, domain, slug }) => [id, [domain, slug]]))).toEqual(
    new Map([
      [own.id, [null, "summer"]],
      [onDomain.id, [NAME, "summer"]],
    ]),
  );
});
