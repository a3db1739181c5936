import { statSync } from "node:fs";
import { join } from "node:path";
import { buildConsole } from "../console/build.ts";
import { BROTLI_ENDING } from "../shared/console-manifest.ts";
import { CONSOLE_DIST } from "../src/console-server/console-files.ts";

const { pages, share, files } = await buildConsole(CONSOLE_DIST);
const sizeOf = (file: string): number => statSync(join(CONSOLE_DIST, file)).size;
const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;
const named = [
  ...Object.entries(pages),
  ...Object.entries(share.pages).map(([name, entry]) => [`shared report, ${name}`, entry] as const),
];
const first = named.map(([language, { script, style }]) => {
  const [scriptSize, styleSize] = [script, style].map((file) => kilobytes(sizeOf(`${file}${BROTLI_ENDING}`)));
  return `${language}: first script ${scriptSize}, style ${styleSize} compressed`;
});
process.stderr.write(
  `console built: ${files.length} files, ${kilobytes(files.reduce((sum, file) => sum + sizeOf(file), 0))}\n` +
    `${first.map((line) => `  ${line}\n`).join("")}`,
);
