import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Block, blocksOf, documentedPages, isCommands } from "#test/support/documentation.ts";
import { type Following, followDocumentation, idleExceptions, isRun } from "#test/support/follow-documentation.ts";
import { openSpareMachine, type SpareMachine } from "#test/support/spare-machine.ts";

setDefaultTimeout(600_000);

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

/** All of them, since pages may give one path to files of different machines. */
const configurationsOf = (language: string): string[] =>
  documentedPages.flatMap(blocksOf).flatMap((block) => (block.language === language ? block.text : []));

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

  test("nginx accepts every configuration of its own", async () => {
    const blocks = configurationsOf("nginx");
    expect(blocks.length).toBeGreaterThanOrEqual(2);
    const created = await machine.run(`
      openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=s.example \\
        -keyout /etc/ssl/s.example.key -out /etc/ssl/s.example.pem 2>/dev/null`);
    expect(created.code).toBe(0);
    for (const text of blocks) {
      machine.write("/run/documented.conf", `events {}\nhttp {\n${text}}\n`);
      const { code, err } = await machine.run("nginx -t -c /run/documented.conf");
      expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("test is successful") });
      expect(err).not.toContain("[warn]");
    }
  });

  test("Caddy accepts every configuration of its own", async () => {
    const blocks = configurationsOf("caddy");
    expect(blocks.length).toBeGreaterThanOrEqual(2);
    for (const text of blocks) {
      machine.write("/run/Caddyfile", text);
      const { code, err } = await machine.run("caddy validate --adapter caddyfile --config /run/Caddyfile");
      expect({ code, err }).toMatchObject({ code: 0 });
    }
  });
});
