import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json";
import { shippedPackages } from "../../scripts/licences/shipped-packages.ts";
import { unreleasedNotes } from "../../scripts/release/changelog.ts";
import { makeRelease } from "../../scripts/release/make-release.ts";
import { planRelease } from "../../scripts/release/release-plan.ts";
import { run } from "../../scripts/release/run.ts";
import { versionPlaces, versionsIn } from "../../scripts/release/version-places.ts";
import { projectFiles } from "./project-files.ts";

const source = join(import.meta.dir, "..", "..");
const VERSION = "98.76.54";
const ENTRY = "- A line that this test looks for.";

let root: string;
const git = (...words: string[]): Promise<string> => run(["git", ...words], root);
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

/** A repository with the project as it is now, whether that is committed or not. */
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "kurz-release-"));
  for (const path of projectFiles(source)) cpSync(join(source, path), join(root, path));
  symlinkSync(join(source, "node_modules"), join(root, "node_modules"));
  const changelog = textOf("CHANGELOG.md").replace(/^## Unreleased$/m, `## Unreleased\n\n### Added\n\n${ENTRY}`);
  writeFileSync(join(root, "CHANGELOG.md"), changelog);
  await git("init", "--quiet", "--initial-branch=main");
  await git("config", "user.name", "Test");
  await git("config", "user.email", "test@kurz.example");
  writeFileSync(join(root, ".git", "info", "exclude"), "/node_modules\n");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "chore: begin");
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

async function release(...words: string[]) {
  const child = Bun.spawn([process.execPath, "scripts/release.ts", ...words], {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}

const stateOf = async () => [
  await git("rev-parse", "HEAD"),
  await git("status", "--porcelain"),
  await git("tag", "--list"),
  existsSync(join(root, "dist")),
];

test("without --write it says what it would do, and does nothing", async () => {
  const before = await stateOf();
  const { code, stdout, stderr } = await release(VERSION);
  expect([code, stderr]).toEqual([0, ""]);
  for (const text of [manifest.version, VERSION, "CHANGELOG", "SHA256SUMS", `v${VERSION}`, "Nothing was changed"]) {
    expect(stdout.toLowerCase()).toContain(text.toLowerCase());
  }
  expect(await stateOf()).toEqual(before);
});

test("it refuses with every reason, and what to do about it", async () => {
  await git("switch", "--quiet", "--create", "elsewhere");
  writeFileSync(join(root, "README.md"), "changed\n");
  const { code, stdout, stderr } = await release("0.0.1", "--write");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("git switch main");
  expect(stderr).toContain("README.md");
  expect(stderr).toContain(`0.0.1 isn't newer than the current version, ${manifest.version}`);
  await git("checkout", "--quiet", "README.md");
  await git("switch", "--quiet", "main");
});

test("if something can't be built, everything is as before", async () => {
  const before = await stateOf();
  const plan = await planRelease(root, VERSION, new Date());
  const artefacts = [{ what: "nothing", command: () => ["ls", "/does/not/exist"] }];
  await expect(makeRelease(plan, { artefacts, onStep() {} })).rejects.toThrow("/does/not/exist");
  expect((await stateOf()).slice(0, 3)).toEqual(before.slice(0, 3));
  expect(existsSync(plan.directory)).toBe(false);
});

test("with --write it makes everything that a release consists of", async () => {
  const notes = unreleasedNotes(textOf("CHANGELOG.md"));
  const { code, stdout, stderr } = await release(VERSION, "--write");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("making the source …");

  for (const { path, pattern } of versionPlaces) {
    expect([path, ...new Set(versionsIn(textOf(path), pattern))]).toEqual([path, VERSION]);
  }
  const changelog = textOf("CHANGELOG.md");
  expect(unreleasedNotes(changelog)).toBe("");
  expect(changelog).toMatch(new RegExp(`^## Unreleased\n\n## ${VERSION} - \\d{4}-\\d\\d-\\d\\d\n`, "m"));
  expect(await git("status", "--porcelain")).toBe("");
  expect(await git("log", "-1", "--format=%s")).toBe(`chore(release): ${VERSION}`);
  expect(await git("cat-file", "-t", `v${VERSION}`)).toBe("tag");
  expect(await git("rev-parse", `v${VERSION}^{commit}`)).toBe(await git("rev-parse", "HEAD"));
  expect(await git("tag", "--list", "--format=%(contents)", `v${VERSION}`)).toContain(ENTRY);

  const directory = join(root, "dist", "release", VERSION);
  const listed = await run(["sha256sum", "--strict", "--check", "SHA256SUMS"], directory);
  const files = listed.split("\n").map((line) => line.replace(/: OK$/, ""));
  const archive = `kurz-${VERSION}.tar.gz`;
  const programs = ["x64", "arm64"].map((processor) => `kurz-${VERSION}-linux-${processor}`);
  const others = [`kurz-${VERSION}.cdx.json`, "RELEASE_NOTES.md", "THIRD_PARTY_LICENSES.txt"];
  expect(files).toEqual(expect.arrayContaining([archive, ...programs, ...others]));
  expect(programs.map((name) => processorOf(join(directory, name)))).toEqual([62, 183]);
  expect(files.some((name) => name.includes("sdk") && name.includes(VERSION))).toBe(true);
  expect(readFileSync(join(directory, "RELEASE_NOTES.md"), "utf8")).toContain(ENTRY);
  const inside = await run(["tar", "-xzOf", archive, `kurz-${VERSION}/package.json`], directory);
  expect(JSON.parse(inside)).toMatchObject({ name: "kurz", version: VERSION });
  expect(notes).toContain(ENTRY);

  const again = await release("major", "--write");
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("nothing to release")]);
});

test("the bill of materials has everything that npm would install, and what the console bundles", async () => {
  const bill = JSON.parse(
    readFileSync(join(root, "dist", "release", VERSION, `kurz-${VERSION}.cdx.json`), "utf8"),
  ) as Bill;
  const npm = JSON.parse(
    await run(["npm", "sbom", "--omit=dev", "--package-lock-only", "--sbom-format=cyclonedx"], source),
  ) as Bill;
  expect(bill).toMatchObject({ bomFormat: npm.bomFormat, specVersion: npm.specVersion });
  const purls = bill.components.map(({ purl }) => purl);
  const known = npm.components.filter(({ scope }) => scope !== "excluded").map(({ purl }) => purl);
  expect(known.length).toBeGreaterThan(80);
  expect(known.filter((purl) => !purls.includes(purl))).toEqual([]);
  for (const name of ["bun", "react", "lucide-react"])
    expect(purls).toContainEqual(expect.stringContaining(`npm/${name}@`));
  expect(bill.components.length).toBe(shippedPackages().length);
  expect(new Set(bill.components.map((each) => each["bom-ref"])).size).toBe(bill.components.length);
});

/** As the header of an executable names it: 62 is x86-64, 183 is AArch64. */
const processorOf = (path: string): number => readFileSync(path).readUInt16LE(18);

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly components: readonly { readonly purl: string; readonly "bom-ref": string; readonly scope?: string }[];
}
