import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Block, blocksOf, documentedPages, isCommands } from "#test/support/documentation.ts";
import { type Following, followDocumentation, idleExceptions, isRun } from "#test/support/follow-documentation.ts";
import { openSpareMachine, type SpareMachine } from "#test/support/spare-machine.ts";

setDefaultTimeout(240_000);

const PROJECT = join(import.meta.dir, "..", "..");
/** Pages that start a server in the foreground: `npm run drill` follows them, and start.test.ts the first one. */
const FOREGROUND = ["README.md", "docs/demo.md"];

let machine: SpareMachine;
let following: Following;
beforeAll(async () => {
  machine = await openSpareMachine({ ground: { project: PROJECT }, ownNetwork: true });
  following = followDocumentation(machine, { repository: null });
});
afterAll(() => machine.close());

const placeOf = ({ page, line }: Block): string => `${page}:${line}`;

test("the documented commands run as written, from the installation to the restore", async () => {
  await following.follow();
  const expected = documentedPages
    .filter((page) => !FOREGROUND.includes(page))
    .flatMap(blocksOf)
    .filter(isRun);
  expect(following.ran.map(placeOf).toSorted()).toEqual(expected.map(placeOf).toSorted());
  expect(expected.length).toBeGreaterThanOrEqual(12);
});

test("every exception names an existing block, and most blocks are no exception", () => {
  expect(idleExceptions()).toEqual([]);
  const blocks = documentedPages.flatMap(blocksOf).filter(isCommands);
  expect(blocks.filter((block) => !isRun(block)).length).toBeLessThan(blocks.length / 3);
});

describe("the documented configuration files", () => {
  test("systemd accepts every unit", async () => {
    const units = blocksOf("docs/deployment.md").flatMap(({ file }) => (file?.startsWith("/etc/systemd/") ? file : []));
    expect(units.length).toBeGreaterThanOrEqual(3);
    const { code, err } = await machine.run(`systemd-analyze verify --man=no ${units.join(" ")}`);
    // It also complains about units of the machine itself.
    expect({ code, lines: err.split("\n").filter((line) => line.includes("kurz")) }).toEqual({ code: 0, lines: [] });
  });

  test("nginx accepts its configuration", async () => {
    const { code, err } = await machine.run(`
      openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=s.example \\
        -keyout /etc/ssl/s.example.key -out /etc/ssl/s.example.pem 2>/dev/null
      nginx -t`);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("test is successful") });
    expect(err).not.toContain("[warn]");
  });

  test("Caddy accepts its configuration", async () => {
    const { code, err } = await machine.run("caddy validate --adapter caddyfile --config /etc/caddy/Caddyfile");
    expect({ code, err }).toMatchObject({ code: 0 });
  });
});
