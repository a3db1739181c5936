import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { localCommand } from "./command.ts";
import { required } from "./option.ts";
import { directoryPath } from "./option-values.ts";
import { UsageError } from "./usage-error.ts";

export const backup = localCommand({
  name: "backup",
  summary: "Back up links, accounts and clicks",
  notes:
    "The backup is consistent, even while the server runs, which isn't interrupted. It includes the secret key, so keep it as safe as " +
    "the data. Missing parent directories are created.",
  positionals: {
    directory: required(
      "DIRECTORY",
      directoryPath,
      "Where to put it: a path that doesn't exist yet, outside the data directory.",
    ),
  },
  run: async ({ config, paths, say }, { directory }) => {
    refuseInside(paths.dataDir, directory);
    const [{ takeBackup }, { sumBytes }] = await Promise.all([
      import("#backup/backup.ts"),
      import("#backup/manifest.ts"),
    ]);
    const manifest = await takeBackup({ config, paths, directory, say });
    const { taken_at, secret_key, files } = manifest;
    return { directory, taken_at, secret_key, files: files.length, bytes: sumBytes(manifest) };
  },
  print: ({ directory, taken_at, secret_key, bytes }) =>
    [
      `The backup of ${taken_at} is in ${directory} (${(bytes / 1e6).toFixed(1)} MB).`,
      ...(secret_key === "included" ? [] : ["It doesn't include the secret key: keep KURZ_SECRET_KEY as well."]),
    ].join("\n"),
});

/** A backup among the data would be lost with it, and a restore doesn't know its files. */
function refuseInside(dataDir: string, directory: string): void {
  const path = relative(realPath(dataDir), realPath(directory));
  if (path === ".." || path.startsWith("../")) return;
  throw new UsageError(`${directory} is inside the data directory ${dataDir}; choose a directory outside it`);
}

/** With symbolic links resolved, as far as the path exists. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}
