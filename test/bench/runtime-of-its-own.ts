import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");

export interface RuntimeOfItsOwn extends Disposable {
  /** `bin/kurz` of this checkout, on a runtime that no other process has mapped. */
  readonly program: string;
}

/**
 * Processes of the same file share its pages, and so would this one and other servers on this machine: their share would
 * be missing from the memory of the server under test.
 */
export function copyRuntime(): RuntimeOfItsOwn {
  const directory = mkdtempSync(join(tmpdir(), "kurz-runtime-"));
  mkdirSync(join(directory, "bin"));
  mkdirSync(join(directory, "node_modules", ".bin"), { recursive: true });
  copyFileSync(join(ROOT, "bin", "kurz"), join(directory, "bin", "kurz"));
  copyFileSync(realpathSync(process.execPath), join(directory, "node_modules", ".bin", "bun"));
  symlinkSync(join(ROOT, "src"), join(directory, "src"));
  return {
    program: join(directory, "bin", "kurz"),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}
