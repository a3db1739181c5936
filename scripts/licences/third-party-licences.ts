import { keptText, licenceTextsOf } from "./licence-texts.ts";
import { bundledRoots, type ShippedPackage, shippedPackages } from "./shipped-packages.ts";

const RULE = "=".repeat(80);
const LINE_MAX = 100;

/** What isn't a package of its own. */
const OTHER_PARTS: readonly { readonly what: string; readonly text: string }[] = [
  { what: "Parts of the runtime, JavaScriptCore and tinycc: GNU Lesser General Public License 2.1", text: "LGPL-2.1" },
  { what: "Common passwords, from SecLists: MIT", text: "seclists" },
  { what: "Country outlines, from Natural Earth (public domain) by way of world-atlas: ISC", text: "world-atlas" },
  { what: "The Public Suffix List, in tldts: Mozilla Public License 2.0", text: "public-suffix-list" },
  { what: "Libraries in DuckDB's library", text: "duckdb-libraries" },
];

/** `THIRD_PARTY_LICENSES`: the terms of everything in the image and the executable that others have written. */
export function thirdPartyLicences(): string {
  const packages = shippedPackages();
  const groups = Map.groupBy(
    packages.filter(({ isForOneSystem }) => !isForOneSystem),
    (one) => licenceTextsOf(one).map(tidy).join("\n\n"),
  );
  const sections = [...groups].map(([text, members]) => section(members.map(titleOf), text));
  const others = OTHER_PARTS.map(({ what, text }) => section([what], tidy(keptText(text))));
  return `${introduction(packages)}\n${[...sections, ...others].join("\n")}`;
}

const introduction = (packages: readonly ShippedPackage[]): string => {
  const own = packages.filter(({ isForOneSystem }) => !isForOneSystem);
  return `Licences of third parties in Kurz

Kurz itself is under the MIT licence: see LICENSE, and NOTICE for where its data comes from. Its image, its executable
and its installation also contain the work of others. This file has their terms, as they come with each package; packages
with the same text are listed together. "Bundled" are those of which parts are in the console's scripts and styles
(${bundledRoots.join(", ")}, and what these need). Packages for a single system, such as the runtime for Linux on arm64,
are under the terms of the package that they belong to.

Country data: from the Number Resource Organization (https://www.nro.net/), CC BY 4.0
(https://creativecommons.org/licenses/by/4.0/), changed into a database of addresses by ip-location-db.

This file is generated (npm run generate) and lists ${own.length} packages. A test fails if it is out of date, or if a package
has a licence that isn't on the list in scripts/licences/allowed-licences.ts.
`;
};

const titleOf = ({ name, version, licence, isBundled }: ShippedPackage): string =>
  `${name} ${version} (${licence ?? "unknown"}${isBundled ? ", bundled" : ""})`;

const section = (titles: readonly string[], text: string): string =>
  `${RULE}\n${titles.map((title) => title.slice(0, LINE_MAX)).join("\n")}\n${RULE}\n\n${text}\n`;

/** Line ends and spaces at the end say nothing, and would keep equal texts apart. */
const tidy = (text: string): string =>
  text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[ \t]+$/gm, "")
    .trim();
