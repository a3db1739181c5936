import { expect, test } from "bun:test";
import { join } from "node:path";
import { launchBrowser } from "#test/support/browser.ts";

const SDK = join(import.meta.dir, "..", "..", "sdk", "src", "index.ts");

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const body = '{"id":"evt_1","type":"link.created","data":{"link":{"title":"Grüße 🔗"}}}';
const t = 1_700_000_000;
const signature = new Bun.CryptoHasher("sha256", secret).update(`${t}.${body}`).digest("hex");

const bundle = async (): Promise<string> => {
  const { outputs } = await Bun.build({ entrypoints: [SDK], target: "browser", format: "esm" });
  return (await outputs[0]?.text()) ?? "";
};

/** The body of an async function with `verifyWebhook` in scope; returns the outcome of each case. */
const cases = `
  const headers = { "service-signature": ${JSON.stringify(`t=${t},v1=${signature}`)}, "service-delivery": "dlv_1" };
  const body = ${JSON.stringify(body)};
  const outcomeOf = (rawBody, given, seconds) =>
    verifyWebhook(rawBody, given, ${JSON.stringify(secret)}, { now: () => seconds * 1000 })
      .then((event) => event.data.link.title, (error) => error.reason ?? error.name);
  return Promise.all([
    outcomeOf(body, headers, ${t}),
    outcomeOf(new TextEncoder().encode(body), new Headers(headers), ${t + 299}),
    outcomeOf(body + " ", headers, ${t}),
    outcomeOf(body, headers, ${t - 300}),
    outcomeOf(JSON.parse(body), headers, ${t}),
  ]);`;

const expected = ["Grüße 🔗", "Grüße 🔗", "wrong_signature", "wrong_time", "TypeError"];

test("Node verifies deliveries", async () => {
  const program = `${await bundle()}\nconsole.log(JSON.stringify(await (async () => {${cases}})()));`;
  const child = Bun.spawn(["node", "--input-type=module", "-"], { stdin: new Blob([program]), stdout: "pipe" });
  expect(JSON.parse(await child.stdout.text())).toEqual(expected);
});

test("a browser verifies deliveries", async () => {
  const script = `${await bundle()}\nglobalThis.run = async () => {${cases}};`;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      new Response(`<script type="module">${script}</script>`, {
        headers: { "Content-Type": "text/html; charset=utf-8" },
      }),
  });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(server.url.href);
    expect(await page.evaluate("run()")).toEqual(expected);
  } finally {
    await browser.close();
    await server.stop(true);
  }
});
