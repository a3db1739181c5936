import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countryAliases } from "#shared/country-names.ts";

/**
 * Writes the outlines of the console's map from an unpacked copy of the package world-atlas 2.0.2 (decision 45):
 *
 *   npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz && bun scripts/world-map.ts package
 */

interface Topology {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly objects: { readonly countries: { readonly geometries: readonly Geometry[] } };
}

interface Geometry {
  readonly type: "Polygon" | "MultiPolygon";
  readonly arcs: readonly (readonly number[])[] | readonly (readonly (readonly number[])[])[];
  readonly properties: { readonly name: string };
}

type Point = readonly [x: number, y: number];

const OUTPUT = join(import.meta.dir, "../console/reports/map/world-outlines.ts");
/** Once around the equator, in units of the picture. */
const WIDTH = 1000;
/** The radius of what is too small for an outline. */
const SPOT = 4;
// Further south there is only Antarctica, where nobody clicks.
const LATITUDE_MIN = -58;
const LATITUDE_MAX = 84;

/** Names of the data that aren't those of `Intl`, and what has a name but no code there. */
const otherCodes: Readonly<Record<string, string | null>> = {
  Åland: "AX",
  "Antigua and Barb.": "AG",
  Antarctica: null,
  "Ashmore and Cartier Is.": null,
  "Bosnia and Herz.": "BA",
  "Br. Indian Ocean Ter.": "IO",
  "British Virgin Is.": "VG",
  "Cayman Is.": "KY",
  "Central African Rep.": "CF",
  Congo: "CG",
  "Cook Is.": "CK",
  "Côte d'Ivoire": "CI",
  "Dem. Rep. Congo": "CD",
  "Dominican Rep.": "DO",
  "Eq. Guinea": "GQ",
  "Faeroe Is.": "FO",
  "Falkland Is.": "FK",
  "Fr. Polynesia": "PF",
  "Fr. S. Antarctic Lands": "TF",
  "Heard I. and McDonald Is.": "HM",
  "Indian Ocean Ter.": null,
  "Marshall Is.": "MH",
  Micronesia: "FM",
  // They share the code of the country that they are counted with.
  "N. Cyprus": "CY",
  "N. Mariana Is.": "MP",
  "Pitcairn Is.": "PN",
  "S. Geo. and the Is.": "GS",
  "S. Sudan": "SS",
  "Siachen Glacier": null,
  "Solomon Is.": "SB",
  Somaliland: "SO",
  "St-Barthélemy": "BL",
  "St-Martin": "MF",
  "St. Kitts and Nevis": "KN",
  "St. Pierre and Miquelon": "PM",
  "St. Vin. and Gren.": "VC",
  "São Tomé and Principe": "ST",
  "Saint Helena": "SH",
  "Saint Lucia": "LC",
  "Trinidad and Tobago": "TT",
  "Turks and Caicos Is.": "TC",
  "U.S. Virgin Is.": "VI",
  Vatican: "VA",
  "W. Sahara": "EH",
  "Wallis and Futuna Is.": "WF",
  eSwatini: "SZ",
};

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error("name the directory of the package world-atlas");

const read = (name: string): Topology => JSON.parse(readFileSync(join(source, name), "utf8"));
const codes = codesByName();
const coarse = toShapes(read("countries-110m.json"));
const fine = toShapes(read("countries-50m.json"));
const points = [...coarse.values()].flat(2);
/** The map ends where the countries do. */
const left = Math.min(...points.map(([x]) => x));
const top = Math.min(...points.map(([, y]) => y));
const width = Math.ceil(Math.max(...points.map(([x]) => x)) - left);
const height = Math.ceil(Math.max(...points.map(([, y]) => y)) - top);

const outlines = [...coarse].sort(byCode).map(([code, rings]) => `  ${code}: "${rings.map(toPath).join("")}",`);
const spots = [...fine]
  .filter(([code]) => !coarse.has(code))
  .sort(byCode)
  .map(([code, rings]) => [code, middleOf(rings)] as const)
  .map(([code, [x, y]]) => `  ${code}: [${x}, ${y}],`);

writeFileSync(
  OUTPUT,
  `// Written by scripts/world-map.ts from Natural Earth (public domain) as packaged by world-atlas 2.0.2 (decision 45).

export const MAP_WIDTH = ${width};
export const MAP_HEIGHT = ${height};

/** By country code, the path of an SVG. */
export const outlines: Readonly<Record<string, string>> = {
${outlines.join("\n")}
};

/** Where countries are that are too small for an outline. */
export const spots: Readonly<Record<string, readonly [x: number, y: number]>> = {
${spots.join("\n")}
};
`,
);

function byCode([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function codesByName(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames("en", { type: "region" });
  return new Map(
    [...countryAliases].flatMap(([code, aliases]) =>
      [names.of(code) ?? code, ...aliases].map((name) => [name.replaceAll("’", "'").replaceAll("&", "and"), code]),
    ),
  );
}

/** The rings of each country on the picture, without what has no size there. */
function toShapes(topology: Topology): Map<string, readonly (readonly Point[])[]> {
  const arcs = topology.arcs.map((arc) => decodeArc(topology, arc));
  const shapes = new Map<string, readonly (readonly Point[])[]>();
  for (const { type, arcs: parts, properties } of topology.objects.countries.geometries) {
    const { name } = properties;
    const code = name in otherCodes ? otherCodes[name] : codes.get(name);
    if (code === undefined) throw new Error(`which country is ${name}?`);
    if (code === null) continue;
    const polygons = (type === "Polygon" ? [parts] : parts) as readonly (readonly (readonly number[])[])[];
    const rings = polygons
      .flat()
      .map((ring) => ring.flatMap((index, at) => arcOf(arcs, index).slice(at === 0 ? 0 : 1)))
      .map((ring) => inOnePiece(ring).map(project));
    shapes.set(code, [...(shapes.get(code) ?? []), ...rings]);
  }
  return shapes;
}

/** A negative number stands for the same line the other way round. */
function arcOf(arcs: readonly (readonly Point[])[], index: number): readonly Point[] {
  return index < 0 ? (arcs[~index] ?? []).toReversed() : (arcs[index] ?? []);
}

function decodeArc({ transform: { scale, translate } }: Topology, arc: Topology["arcs"][number]): Point[] {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

/** What lies on both sides of the date line is drawn as one, in the east: that is Chukotka, and an island of Fiji. */
function inOnePiece(ring: readonly Point[]): readonly Point[] {
  const longitudes = ring.map(([longitude]) => longitude);
  const isAcross = longitudes.some((longitude, at) => at > 0 && Math.abs(longitude - (longitudes[at - 1] ?? 0)) > 180);
  return isAcross ? ring.map(([x, y]): Point => [x < 0 ? x + 360 : x, y]) : ring;
}

/** The Natural Earth projection (Šavrič, Jenny, Patterson, Petrovič, Hurni), onto the picture. */
function project([longitude, latitude]: Point): Point {
  const clamped = Math.min(LATITUDE_MAX, Math.max(LATITUDE_MIN, latitude));
  const [lambda, phi] = [longitude, clamped].map((degrees) => (degrees * Math.PI) / 180) as [number, number];
  const p2 = phi * phi;
  const p4 = p2 * p2;
  const x = lambda * (0.8707 - 0.131979 * p2 + p4 * (-0.013791 + p4 * (0.003971 * p2 - 0.001529 * p4)));
  const y = phi * (1.007226 + p2 * (0.015085 + p4 * (-0.044475 + 0.028874 * p2 - 0.005916 * p4)));
  const unit = WIDTH / (2 * Math.PI * 0.8707);
  return [x * unit + WIDTH / 2, -y * unit];
}

/** Whole numbers, each as the difference from the one before; what rounding makes equal is left out. */
function toPath(ring: readonly Point[]): string {
  const rounded = ring.map(([x, y]): Point => [Math.round((x - left) * 2), Math.round((y - top) * 2)]);
  const points = rounded.filter(([x, y], at) => at === 0 || x !== rounded[at - 1]?.[0] || y !== rounded[at - 1]?.[1]);
  if (points.length < 4) return "";
  const [first, ...rest] = points.slice(0, -1) as [Point, ...Point[]];
  let [x, y] = first;
  const steps = rest.map(([toX, toY]) => {
    const step = [toX - x, toY - y];
    [x, y] = [toX, toY];
    return step;
  });
  return `M${join2(first)}l${steps.map(join2).join(" ").replaceAll(" -", "-")}z`;
}

function join2(pair: readonly number[]): string {
  return pair
    .map((value) => String(value / 2).replace(/^(-?)0\./, "$1."))
    .join(" ")
    .replace(" -", "-");
}

/** Of the largest ring. */
function middleOf(rings: readonly (readonly Point[])[]): Point {
  const boxes = rings.map((ring) => {
    const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
    return { x1: Math.min(...xs), x2: Math.max(...xs), y1: Math.min(...ys), y2: Math.max(...ys) };
  });
  const size = ({ x1, x2, y1, y2 }: (typeof boxes)[number]): number => (x2 - x1) * (y2 - y1);
  const box = boxes.reduce((best, next) => (size(next) > size(best) ? next : best));
  // A few islands of the Pacific lie further west than all outlines, and are moved to the edge.
  const x = Math.min(width - SPOT, Math.max(SPOT, (box.x1 + box.x2) / 2 - left));
  return [Math.round(x), Math.round((box.y1 + box.y2) / 2 - top)];
}
