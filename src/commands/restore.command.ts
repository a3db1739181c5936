import { restoreBackup } from "#backup/restore.ts";
import { deskCommand } from "./command.ts";
import { required } from "./option.ts";
import { directoryPath } from "./option-values.ts";

export const restore = deskCommand({
  name: "restore",
  summary: "Bring a backup back into an empty data directory",
  notes:
    "The server must not run, and KURZ_DATA_DIR must be empty, but for hidden files, or not exist. The whole backup is checked before anything is written.",
  positionals: { directory: required("DIRECTORY", directoryPath, "The backup.") },
  run: async ({ config, paths, say }, { directory }) => {
    const { manifest, links, clicks } = await restoreBackup({ paths, directory, say });
    const { taken_at, kurz, secret_key } = manifest;
    const needsKey = secret_key === "elsewhere" && config.secretKey === null;
    return { data_dir: paths.dataDir, taken_at, kurz, links, clicks, needs_secret_key: needsKey };
  },
  print: ({ data_dir, taken_at, links, clicks, needs_secret_key }) =>
    [
      `The backup of ${taken_at} is in ${data_dir}: ${links} links, ${clicks} clicks and what was in the journal.`,
      ...(needs_secret_key ? ["Its secret key is not in it: set KURZ_SECRET_KEY before the server starts."] : []),
    ].join("\n"),
});
