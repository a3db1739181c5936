import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reasonOf } from "#kernel/error-text.ts";
import { bytesText } from "./amount-text.ts";
import { type Check, type Finding, ok, problem, warning } from "./check.ts";

const FREE_BYTES_WARNING = 1024 ** 3;
const FREE_BYTES_PROBLEM = 100 * 1024 ** 2;

export const dataDirectory: Check = {
  name: "data directory",
  run: ({ paths }) => [findWriteProblem(paths.dataDir), freeSpace(paths.dataDir)],
};

/** A real write: permissions alone don't reveal a read-only mount or a full disk. */
function findWriteProblem(dataDir: string): Finding {
  const probe = join(dataDir, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, "probe", { mode: 0o600, flush: true });
    return ok(`${dataDir} is writable`);
  } catch (error) {
    return problem(`${dataDir} is not writable: ${reasonOf(error)}`);
  } finally {
    rmSync(probe, { force: true });
  }
}

function freeSpace(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir);
  return judgeFreeSpace(bavail * bsize);
}

export function judgeFreeSpace(bytes: number): Finding {
  const message = `${bytesText(bytes)} free`;
  if (bytes < FREE_BYTES_PROBLEM) return problem(`only ${message}`);
  return bytes < FREE_BYTES_WARNING ? warning(`only ${message}`) : ok(message);
}
