import { statSync } from "node:fs";
import { join } from "node:path";
import { buildConsole } from "../console/build.ts";
import { CONSOLE_DIST } from "../src/console-server/console-files.ts";

const { script, style, files } = await buildConsole(CONSOLE_DIST);
const sizeOf = (file: string): number => statSync(join(CONSOLE_DIST, file)).size;
const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;
process.stderr.write(
  `console built: ${files.length} files, ${kilobytes(files.reduce((sum, file) => sum + sizeOf(file), 0))}; ` +
    `first script ${kilobytes(sizeOf(script))}, style ${kilobytes(sizeOf(style))}\n`,
);
