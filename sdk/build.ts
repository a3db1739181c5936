import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleScript } from "../scripts/bundle-script.ts";

/**
 * Builds what the package has: one script and the types for each kind of module. Both kinds have declarations of their
 * own, since the compiler decides by the nearest package.json which kind a declaration describes.
 */
export async function buildSdk(directory: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  const entry = join(import.meta.dir, "src", "index.ts");
  const folders = { esm: join(directory, "esm"), cjs: join(directory, "cjs") } as const;
  for (const format of ["esm", "cjs"] as const) {
    mkdirSync(folders[format], { recursive: true });
    writeFileSync(join(folders[format], "index.js"), await bundleScript({ entry, format, target: "browser" }));
  }
  declareTypes(folders.esm);
  for (const file of readdirSync(folders.esm).filter((name) => name.endsWith(".d.ts"))) {
    copyFileSync(join(folders.esm, file), join(folders.cjs, file));
  }
  writeFileSync(join(folders.cjs, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
}

function declareTypes(directory: string): void {
  const compiler = join(dirname(Bun.resolveSync("typescript/package.json", import.meta.dir)), "bin", "tsc");
  const { exitCode, stdout } = Bun.spawnSync([
    ...[process.execPath, compiler, "-p", join(import.meta.dir, "tsconfig.json")],
    ...["--emitDeclarationOnly", "--outDir", directory],
  ]);
  if (exitCode !== 0) throw new Error(`the types of the client can't be built:\n${stdout}`);
}

if (import.meta.main) await buildSdk(join(import.meta.dir, "dist"));
