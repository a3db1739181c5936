import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWatchedPage } from "#test/support/browser.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { blocksOf } from "#test/support/documentation.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { DENO, installRuntimes, nodes, TYPE_ROOTS, TYPES_CHECKER, TYPESCRIPT_5 } from "#test/support/runtimes.ts";
import { version } from "../../package.json";

const TIMEOUT_MS = 600_000;
const root = join(import.meta.dir, "..", "..");
const EXPECTED = {
  title: "Grüße",
  listed: ["https://example.com/first", "https://example.com/second"],
  exported: ["https://example.com/first", "https://example.com/second"],
  clicks: 0,
  qr: true,
  missing: true,
  forged: "wrong_signature",
  refused: "token is missing",
};

await installRuntimes();
const project = mkdtempSync(join(tmpdir(), "kurz-sdk-"));
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Pages of another origin, such as a customer's own. */
const pages = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ url }) => {
    const { pathname } = new URL(url);
    return pathname === "/"
      ? new Response("<!doctype html><title>A page</title>", { headers: { "content-type": "text/html" } })
      : new Response(Bun.file(join(project, pathname)));
  },
});
afterAll(() => pages.stop(true));
const origin = `http://127.0.0.1:${pages.port}`;
const kurz = await startKurz({ env: { KURZ_REDIRECT_PROCESSES: "1", KURZ_CORS_ALLOWED_ORIGINS: origin } });
const browser = await launchBrowserBeside(kurz);
const token = await kurz.newToken(await kurz.newAccount());
const clients = `${kurz.url}/docs/clients`;
const inputFor = (tag: string): string => JSON.stringify({ baseUrl: kurz.url, token, tag });

async function run(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: project,
    env: { PATH: process.env.PATH ?? "", HOME: project, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

const place = (name: string, text: string): void => writeFileSync(join(project, name), text);

const NAMES = "{ Kurz, KurzError, verifyWebhook, WebhookError }";
const CALL = `useSdk(${NAMES}, JSON.parse(process.argv[2]))`;
const programs = {
  "an ES module": {
    file: "use.mjs",
    text: `import ${NAMES} from "@kurz/sdk";
import process from "node:process";
import { useSdk } from "./use-sdk.mjs";
console.log(JSON.stringify(await ${CALL}));\n`,
  },
  "a CommonJS module": {
    file: "use.cjs",
    text: `const ${NAMES} = require("@kurz/sdk");
import("./use-sdk.mjs")
  .then(({ useSdk }) => ${CALL})
  .then((result) => console.log(JSON.stringify(result)));\n`,
  },
} as const;

copyFileSync(join(root, "test", "support", "fixtures", "use-sdk.mjs"), join(project, "use-sdk.mjs"));
for (const { file, text } of Object.values(programs)) place(file, text);
place("package.json", JSON.stringify({ name: "shop", private: true }));
// Nothing but the package of this instance is fetched.
await run([
  ...["npm", "install", "--no-audit", "--no-fund", "--no-update-notifier", "--registry=http://127.0.0.1:1"],
  ...["--cache", join(project, ".npm"), `${clients}/kurz-sdk.tgz`],
]);
const installed = join(project, "node_modules", "@kurz", "sdk");

describe("the package of an instance, installed into an empty project,", () => {
  const runtimes = {
    ...Object.fromEntries(Object.entries(nodes).map(([name, path]) => [name, [path]])),
    Bun: [process.execPath],
    Deno: [DENO, "run", "--no-remote", "--allow-net=127.0.0.1", "--quiet"],
  };
  const cases = Object.entries(runtimes).flatMap(([runtime, command]) =>
    Object.entries(programs).map(([kind, { file }]) => ({ runtime, kind, command: [...command, file] })),
  );

  test.each(cases)(
    "works in $runtime as $kind",
    async ({ runtime, kind, command }) => {
      const output = await run([...command, inputFor(`${runtime} ${kind}`)]);
      expect(JSON.parse(output)).toEqual(EXPECTED);
    },
    TIMEOUT_MS,
  );

  test.each([
    ["from the package", `${origin}/node_modules/@kurz/sdk/dist/esm/index.js`],
    ["from the instance", `${clients}/kurz-sdk.js`],
  ])(
    "works in a page that imports it %s",
    async (kind, address) => {
      const { page, consoleErrors, close } = await openWatchedPage(browser);
      await page.goto(origin);
      const script = `Promise.all([import(${JSON.stringify(address)}), import("/use-sdk.mjs")])
        .then(([sdk, { useSdk }]) => useSdk(sdk, ${inputFor(`page ${kind}`)}))`;
      expect(await page.evaluate(script)).toEqual(EXPECTED);
      // The link that doesn't exist.
      expect(consoleErrors.filter((text) => !text.includes("404"))).toEqual([]);
      await close();
    },
    TIMEOUT_MS,
  );

  test(
    "works in Deno from the instance's address",
    async () => {
      place(
        "use-remote.mjs",
        `import * as sdk from ${JSON.stringify(`${clients}/kurz-sdk.js`)};
import { useSdk } from "./use-sdk.mjs";
console.log(JSON.stringify(await useSdk(sdk, ${inputFor("Deno from the instance")})));\n`,
      );
      const allowed = `127.0.0.1:${kurz.port}`;
      const output = await run(
        [
          DENO,
          "run",
          "--no-config",
          "--quiet",
          `--allow-import=${allowed}`,
          `--allow-net=${allowed}`,
          "use-remote.mjs",
        ],
        { DENO_DIR: join(project, ".deno") },
      );
      expect(JSON.parse(output)).toEqual(EXPECTED);
    },
    TIMEOUT_MS,
  );

  test("has its licence, its README and the version of the instance", () => {
    expect(JSON.parse(readFileSync(join(installed, "package.json"), "utf8")).version).toBe(version);
    for (const [file, source] of [["LICENSE", "LICENSE"] as const, ["README.md", join("sdk", "README.md")] as const]) {
      expect(readFileSync(join(installed, file), "utf8")).toBe(readFileSync(join(root, source), "utf8"));
    }
    expect(readdirSync(installed).toSorted()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  });
});

describe("the types", () => {
  const examples = blocksOf("sdk/README.md")
    .filter(({ language }) => language === "ts")
    .map(({ text }) => text)
    .join("\n");
  const imports = examples.match(/^import .*$/gm) ?? [];
  const rest = examples.replaceAll(/^import .*$/gm, "").replaceAll(/^export /gm, "");
  // In a function, since CommonJS has no `await` outside of one.
  const source = `${imports.join("\n")}
import type { AnalyticsReport, Link } from "@kurz/sdk";
export async function examples(): Promise<void> {
${rest}
  const report: AnalyticsReport = await kurz.links.analytics("lnk_1");
  const text: string = await kurz.links.analytics("lnk_1", { format: "csv" });
  const found: readonly Pick<Link, "id">[] = (await kurz.links.list({ fields: ["id"] })).data;
  const bytes: Uint8Array = await kurz.links.qr("lnk_1");
  console.log(report.totals, text, found, bytes, receive);
  // @ts-expect-error: the destination is required.
  await kurz.links.create({ title: "Spring sale" });
}\n`;
  const browserTypes = { lib: ["ES2022", "DOM"], types: [] };
  const nodeTypes = { lib: ["ES2022"], types: ["node"], typeRoots: [TYPE_ROOTS] };
  const settings = [
    { name: "node10", module: "CommonJS", moduleResolution: "node10", type: "commonjs", ...nodeTypes },
    { name: "node16 in CommonJS", module: "Node16", moduleResolution: "node16", type: "commonjs", ...nodeTypes },
    { name: "node16 in an ES module", module: "Node16", moduleResolution: "node16", type: "module", ...nodeTypes },
    { name: "bundler", module: "ESNext", moduleResolution: "bundler", type: "module", ...browserTypes },
  ] as const;

  test.each(settings)(
    "are right for TypeScript 5 with moduleResolution $name",
    async ({ name, type, ...options }) => {
      const folder = name.replaceAll(" ", "-");
      mkdirSync(join(project, folder));
      place(join(folder, "package.json"), JSON.stringify({ type }));
      place(join(folder, "examples.ts"), source);
      const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
      const compilerOptions = { target: "ES2022", noEmit: true, skipLibCheck: false, ...strict, ...options };
      place(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["examples.ts"] }));
      expect(await run(["node", TYPESCRIPT_5, "-p", folder])).toBe("");
    },
    TIMEOUT_MS,
  );

  test(
    "have no problem that the checker of packages knows",
    async () => {
      writeFileSync(join(project, "kurz-sdk.tgz"), await (await fetch(`${clients}/kurz-sdk.tgz`)).bytes());
      place(
        "check-types.mjs",
        `import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from ${JSON.stringify(TYPES_CHECKER)};
const { types, problems } = await checkPackage(createPackageFromTarballData(readFileSync("kurz-sdk.tgz")));
console.log(JSON.stringify({ types, problems }));\n`,
      );
      expect(JSON.parse(await run(["node", "check-types.mjs"]))).toEqual({ types: { kind: "included" }, problems: [] });
    },
    TIMEOUT_MS,
  );
});

describe("the package", () => {
  test(
    "that npm makes of sdk/ has the same files, without anything else of Kurz being built",
    async () => {
      await run(["npm", "pack", "--loglevel=error", join(root, "sdk"), "--pack-destination", project], {
        npm_config_cache: join(project, ".npm"),
      });
      const contentOf = async (path: string) => {
        const files = await new Bun.Archive(await Bun.file(path).bytes()).files();
        return Promise.all([...files].map(async ([name, file]) => [name, await file.text()] as const));
      };
      const [packed, served] = await Promise.all([
        contentOf(join(project, `kurz-sdk-${version}.tgz`)),
        contentOf(join(root, "dist", "clients", "kurz-sdk.tgz")),
      ]);
      expect(served.length).toBeGreaterThan(40);
      expect(Object.fromEntries(packed)).toEqual(Object.fromEntries(served));
    },
    TIMEOUT_MS,
  );

  test("is the same to the byte whenever it is built", async () => {
    const again = join(project, "clients");
    await run([process.execPath, join(root, "scripts", "build-clients.ts"), again]);
    const [first, second] = [join(root, "dist", "clients"), again].map((one) =>
      readFileSync(join(one, "kurz-sdk.tgz")),
    );
    expect(second?.equals(first ?? Buffer.of())).toBe(true);
  });

  test("is served under its version, too, to anyone", async () => {
    const answers = await Promise.all(
      [`kurz-sdk-${version}.tgz`, "kurz-sdk.tgz"].map((name) => fetch(`${clients}/${name}`)),
    );
    const [versioned, plain] = await Promise.all(answers.map((answer) => answer.bytes()));
    expect(versioned).toEqual(plain as Uint8Array<ArrayBuffer>);
    expect(answers.map(({ headers }) => headers.get("content-type"))).toEqual(["application/gzip", "application/gzip"]);
    expect((await fetch(`${clients}/kurz-sdk-0.0.0.tgz`)).status).toBe(404);
  });
});
