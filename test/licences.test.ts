import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tailwind from "bun-plugin-tailwind";
import { bundleContract } from "../console/bundle-contract.ts";
import { hashedFonts } from "../console/hashed-fonts.ts";
import { textsOf } from "../console/texts-of.ts";
import { isAllowed } from "../scripts/licences/allowed-licences.ts";
import { bunLicence, copyleftLinesIn } from "../scripts/licences/licence-texts.ts";
import { shippedPackages } from "../scripts/licences/shipped-packages.ts";
import { thirdPartyLicences } from "../scripts/licences/third-party-licences.ts";

const root = join(import.meta.dir, "..");

test("every package that ships has a licence that asks for no more than naming it", () => {
  const packages = shippedPackages();
  expect(packages.length).toBeGreaterThan(100);
  const refused = packages.filter(({ licence }) => !isAllowed(licence));
  expect(refused.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
});

test("an expression is allowed if one of its alternatives is", () => {
  expect(
    ["MIT", "(MIT OR GPL-3.0-only)", "(Apache-2.0 AND MIT)", "ISC OR (GPL-2.0-only AND MIT)"].map(isAllowed),
  ).toEqual([true, true, true, true]);
  const refused = [
    "GPL-3.0-only",
    "AGPL-3.0-or-later",
    "LGPL-2.1-only",
    "MIT AND GPL-2.0-only",
    "UNLICENSED",
    "",
    undefined,
  ];
  expect(refused.filter(isAllowed)).toEqual([]);
  expect(["SEE LICENSE IN LICENSE.md", "MIT OR", "(MIT", "MIT WITH something", "mit"].filter(isAllowed)).toEqual([]);
});

test("the runtime links no more under a copyleft licence than decision 55 argues for", () => {
  const named = copyleftLinesIn(bunLicence()).flatMap(
    (line) => line.match(/JavaScriptCore|\[`[\w-]+`\]|Per LGPL-2/) ?? [],
  );
  expect(named).toEqual(["JavaScriptCore", "[`zstd`]", "[`tinycc`]"]);
});

test("THIRD_PARTY_LICENSES has every package, with its text, and is up to date", () => {
  const text = readFileSync(join(root, "THIRD_PARTY_LICENSES"), "utf8");
  expect(text === thirdPartyLicences() || "it isn't: run npm run generate").toBe(true);
  for (const { name, version, isForOneSystem } of shippedPackages()) {
    if (!isForOneSystem) expect(text).toContain(`\n${name} ${version} (`);
  }
});

test("the console's bundles have nothing in them of a package that isn't listed", async () => {
  const shipped = new Set(shippedPackages().map(({ place }) => place));
  const fonts = mkdtempSync(join(tmpdir(), "kurz-fonts-"));
  const built = await Bun.build({
    entrypoints: [join(root, "console", "app", "main.tsx"), join(root, "console", "share", "share.tsx")],
    target: "browser",
    splitting: true,
    metafile: true,
    define: { "process.env.NODE_ENV": '"production"', FLAGS_URL: '"/flags"' },
    plugins: [tailwind, bundleContract, textsOf("en"), hashedFonts(fonts, new Set())],
  });
  rmSync(fonts, { recursive: true });
  const inputs = Object.values(built.metafile?.outputs ?? {}).flatMap((output) => Object.keys(output.inputs));
  const places = new Set(inputs.flatMap((path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  expect(places.size).toBeGreaterThan(8);
  expect([...places].filter((place) => !shipped.has(place.slice(place.indexOf("node_modules"))))).toEqual([]);
});
