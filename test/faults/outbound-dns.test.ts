import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");

const script = `
  import { readFile } from "node:fs/promises";
  import { guardedClient } from "#engines/outbound/guarded-client.ts";
  import { outcomeOf, tryPost } from "#test/support/outbound.ts";

  let asked = 0;
  const server = await Bun.udpSocket({ hostname: "127.0.0.1", port: 53, socket: { data() { asked += 1; } } });
  const client = guardedClient({ allowCidrs: [], allowInsecure: true });
  let ended = 0;
  const calls = Array.from({ length: 50 }, async (_, i) => {
    const outcome = outcomeOf(await tryPost(client, "http://h" + i + ".example/", { timeoutMs: 4000 }));
    ended += 1;
    return outcome;
  });
  let filesRead = 0;
  for (; filesRead < 20; filesRead += 1) await readFile("package.json");
  const endedBefore = ended;
  const outcomes = new Set(await Promise.all(calls));
  console.log(JSON.stringify({ asked: asked >= 50, filesRead, endedBefore, outcomes: [...outcomes] }));
  process.exit();`;

test("a silent name server delays the calls that need it and nothing else", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kurz-dns-"));
  const resolvConf = join(directory, "resolv.conf");
  writeFileSync(resolvConf, "nameserver 127.0.0.1\n");
  try {
    // A network of its own, in which this machine's name servers do not exist.
    const setUp = 'ip link set lo up && mount --bind "$1" /etc/resolv.conf && exec "$2" -e "$3"';
    const child = Bun.spawn(
      ["unshare", "--map-root-user", "--mount", "--net", "sh", "-c", setUp, "sh", resolvConf, process.execPath, script],
      { cwd: ROOT, stdout: "pipe", stderr: "pipe", timeout: 60_000, killSignal: "SIGKILL" },
    );
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({ asked: true, filesRead: 20, endedBefore: 0, outcomes: ["timeout"] });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
