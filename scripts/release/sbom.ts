import { createHash } from "node:crypto";
import type { ShippedPackage } from "../licences/shipped-packages.ts";

export interface SbomFacts {
  readonly version: string;
  readonly madeAt: Date;
}

/**
 * A software bill of materials in CycloneDX 1.5. npm has a command for one, but that knows only what npm installs: it
 * leaves out what is bundled into the console, and lists packages by what happens to be on this machine.
 */
export function softwareBill(packages: readonly ShippedPackage[], { version, madeAt }: SbomFacts): object {
  const components = packages.map(component);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([version, components]))}`,
    version: 1,
    metadata: {
      timestamp: madeAt.toISOString(),
      component: {
        type: "application",
        "bom-ref": `kurz@${version}`,
        name: "kurz",
        version,
        licenses: [{ license: { id: "MIT" } }],
      },
    },
    components,
    dependencies: [{ ref: `kurz@${version}`, dependsOn: components.map((each) => each["bom-ref"]) }],
  };
}

function component({ name, version, licence, integrity, place, isForOneSystem, isBundled }: ShippedPackage) {
  const [, group, base = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const [, digest] = /^sha512-(.+)$/.exec(integrity ?? "") ?? [];
  return {
    type: "library",
    // Two versions of a package may be there, and the same one twice.
    "bom-ref": place.replaceAll("node_modules/", ""),
    ...(group !== undefined && { group }),
    name: base,
    version,
    // Without the runtime and the library for its own system nothing works; those for others aren't there.
    scope: isForOneSystem ? "optional" : "required",
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    ...(licence !== undefined && { licenses: [licenceOf(licence)] }),
    ...(digest !== undefined && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    }),
    ...(isBundled && { properties: [{ name: "kurz:bundled", value: "console" }] }),
  };
}

const licenceOf = (expression: string): object =>
  /^[\w.-]+$/.test(expression)
    ? { license: { id: expression } }
    : { expression: expression.replace(/^\((.*)\)$/, "$1") };

/** The same for the same content, so that a release can be built again. RFC 9562 §5.8: a version of our own. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex").slice(0, 32).split("");
  hex[12] = "8";
  hex[16] = ((Number.parseInt(hex[16] ?? "0", 16) & 0x3) | 0x8).toString(16);
  return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
