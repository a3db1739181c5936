import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endpoints, releasedEndpoints } from "../contract/index.ts";
import { sdkSource } from "./generate.ts";
import { printType } from "./type-printer.ts";

const TSC = join(import.meta.dir, "..", "node_modules", ".bin", "tsc");
const OPTIONS =
  "--ignoreConfig --noEmit --strict --target ES2022 --lib ES2022,DOM --module ES2022 --moduleResolution bundler --allowImportingTsExtensions";

/** The compiler's errors for a source, with browser types and without Bun's, as a user of the package has them. */
async function compile(source: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "kurz-sdk-"));
  try {
    const file = join(directory, "source.ts");
    await Bun.write(file, source);
    return await new Response(Bun.spawn([TSC, ...OPTIONS.split(" "), file]).stdout).text();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

test("unreleased operations can be generated too", async () => {
  expect(await compile(sdkSource(endpoints))).toBe("");
});

test.each([
  ["the README", "README.md", 4],
  ["the API guide", "../docs/api-guide.md", 15],
])("the examples of %s compile", async (_, page, count) => {
  const text = await Bun.file(join(import.meta.dir, page)).text();
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  const entry = JSON.stringify(join(import.meta.dir, "src", "index.ts"));
  expect(blocks).toHaveLength(count);
  expect(await compile(`${blocks.join("\n").replaceAll('"@kurz/sdk"', entry)}\nexport {};\n`)).toBe("");
});

test("the client only needs what browsers have", async () => {
  const { success, outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, "src", "index.ts")],
    target: "browser",
    packages: "external",
  });
  expect(success).toBe(true);
  expect(await outputs[0]?.text()).not.toMatch(/\b(?:import|require)\b|\bBun\b|\bprocess\b|node:/);
});

test("whatever creates something has a key, or clients don't repeat it", () => {
  const created = releasedEndpoints.filter(({ method, status }) => method === "POST" && status === 201);
  const unsafe = created.filter(({ idempotencyKey, unrepeatable }) => !idempotencyKey && !unrepeatable);
  expect(unsafe.map(({ id }) => id)).toEqual([]);
});

test("schemas become the matching types", () => {
  expect(printType({ type: ["string", "null"] })).toBe("string | null");
  expect(printType({ type: "array", items: { enum: ["a", "b"] } })).toBe('readonly ("a" | "b")[]');
  expect(printType({ type: "object", additionalProperties: { type: "integer" } })).toBe(
    "Readonly<Record<string, number>>",
  );
  expect(printType({ anyOf: [{ $ref: "#/components/schemas/Link" }, { const: 7 }] })).toBe("Link | 7");
  expect(() => printType({ not: {} })).toThrow("as TypeScript");
});
