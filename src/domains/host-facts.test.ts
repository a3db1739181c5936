import { afterAll, beforeAll, expect, test } from "bun:test";
import { testDomainService } from "#test/support/test-domains.ts";
import { newTestCaller, openTestRecords } from "#test/support/test-records.ts";
import { hostFacts } from "./host-facts.ts";

const NAME = "go.acme.example";
const DOCUMENT = { applinks: { details: [] } };

const opened = openTestRecords();
const queries: string[] = [];
const facts = hostFacts({
  records: {
    read: opened.records.read.withPlugin({
      transformQuery({ node }) {
        queries.push(JSON.stringify(node));
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  },
  ownHosts: ["s.example:8080"],
});

beforeAll(async () => {
  const domains = testDomainService(opened.records);
  const caller = await newTestCaller(opened.records);
  const { id } = await domains.add(caller, NAME, { isVerified: true });
  await domains.update(caller, id, { app_links: { apple_app_site_association: DOCUMENT } }, null);
  await domains.add(caller, "pending.acme.example", { isVerified: false });
});
afterAll(() => opened.close());

const tlsCheck = async (name: string) =>
  (await facts.tlsCheck(new Request(`http://control/tls-check?domain=${name}`)))?.status;

const documentOf = (name: string, file: string) =>
  facts.appDocument(new Request(`http://control/docs/.well-known/${name}/${file}`));

test("certificates are for verified names and the instance's own", async () => {
  expect(await tlsCheck("s.example")).toBe(200);
  expect(await tlsCheck(NAME)).toBe(200);
  expect(await tlsCheck("pending.acme.example")).toBe(404);
  expect(await tlsCheck("other.example")).toBe(404);
});

test("a document for apps is served for a verified name that has one", async () => {
  expect(await (await documentOf(NAME, "apple-app-site-association"))?.json()).toEqual(DOCUMENT);
  expect((await documentOf(NAME, "assetlinks.json"))?.status).toBe(404);
  expect((await documentOf("pending.acme.example", "apple-app-site-association"))?.status).toBe(404);
});

test("what strangers can ask never counts the links of a domain", async () => {
  queries.length = 0;
  await tlsCheck(NAME);
  await documentOf(NAME, "apple-app-site-association");
  expect(queries).toHaveLength(2);
  for (const query of queries) {
    expect(query).toContain('"name":"domains"');
    expect(query).not.toContain('"name":"links"');
  }
});
