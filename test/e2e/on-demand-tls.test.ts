import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Caller, newLink } from "#test/support/api-client.ts";
import { blocksOf } from "#test/support/documentation.ts";
import { type DomainStage, newName, startDomainStage } from "#test/support/domain-stage.ts";
import { freePort } from "#test/support/free-port.ts";
import { startCaddyfile, type WebServer } from "#test/support/web-servers.ts";

const HANDSHAKE_REFUSED = 35;

let stage: DomainStage;
let caller: Caller;
let caddy: WebServer;
let storage: string;
const metrics = `127.0.0.1:${freePort()}`;
const httpsPort = freePort();

/** The documented file, on ports of this test, with certificates from Caddy's own authority, which nothing trusts. */
function documented(httpPort: number, directory: string): string {
  const block = blocksOf("docs/deployment.md").find(({ text }) => text.includes("on_demand_tls"));
  const text = block?.text ?? "";
  for (const address of ["127.0.0.1:9464", "127.0.0.1:8080"]) expect(text).toContain(address);
  expect(text).toStartWith("{\n");
  const options = [
    "admin off",
    "skip_install_trust",
    "local_certs",
    "default_bind 127.0.0.1",
    `http_port ${httpPort}`,
    `https_port ${httpsPort}`,
    `storage file_system ${directory}`,
  ];
  return text
    .replace("{\n", `{\n${options.map((option) => `\t${option}\n`).join("")}`)
    .replaceAll("127.0.0.1:9464", metrics)
    .replaceAll("127.0.0.1:8080", `127.0.0.1:${stage.api.server.port}`);
}

/** Opens the page as a client that trusts Caddy's authority and checks the name. */
async function open(host: string, path: string): Promise<{ code: number; answer: string }> {
  const root = join(storage, "pki", "authorities", "local", "root.crt");
  const options = ["--silent", "--cacert", root, "--resolve", `${host}:${httpsPort}:127.0.0.1`];
  const format = ["--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}"];
  const child = Bun.spawn(["curl", ...options, ...format, `https://${host}:${httpsPort}${path}`], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const [answer, code] = await Promise.all([child.stdout.text(), child.exited]);
  return { code, answer: answer.trim() };
}

/** The names that Caddy has a certificate for. */
function certified(): string[] {
  const directory = join(storage, "certificates", "local");
  return existsSync(directory) ? readdirSync(directory) : [];
}

beforeAll(async () => {
  stage = await startDomainStage({ KURZ_METRICS_ADDR: metrics });
  caller = await stage.api.newCaller();
  caddy = await startCaddyfile((port, directory) => {
    storage = directory;
    return documented(port, directory);
  });
});
afterAll(async () => {
  await caddy?.stop();
  await stage?.stop();
});

test("Caddy gets a certificate for a verified name when someone first opens it, and serves its links", async () => {
  const { name } = await stage.verified(caller.kurz);
  await newLink(caller.kurz, { domain: name, slug: "sale", destination_url: "https://example.com/sale" });
  expect(certified()).not.toContain(name);
  expect(await open(name, "/sale")).toEqual({ code: 0, answer: "302 https://example.com/sale" });
  expect(certified()).toContain(name);
});

test("Caddy gets none for a pending or unknown name, and one as soon as the name is proven", async () => {
  const domain = await caller.kurz.domains.create({ name: newName() });
  const refused = [domain.name, "unknown.example", `www.${domain.name}`];
  for (const name of refused) expect(await open(name, "/")).toEqual({ code: HANDSHAKE_REFUSED, answer: "000" });
  expect(certified().filter((name) => refused.includes(name))).toEqual([]);
  stage.prove(domain);
  await caller.kurz.domains.verify(domain.id);
  expect(await open(domain.name, "/")).toMatchObject({ code: 0 });
  expect(certified()).toContain(domain.name);
});

test("Caddy gets none for a name below a verified one", async () => {
  const { name } = await stage.verified(caller.kurz);
  expect(await open(`other.${name}`, "/")).toMatchObject({ code: HANDSHAKE_REFUSED });
  expect(certified()).not.toContain(`other.${name}`);
});
