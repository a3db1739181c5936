import { localCommand } from "./command.ts";
import { required } from "./option.ts";
import { directoryPath } from "./option-values.ts";

export const restore = localCommand({
  name: "restore",
  summary: "Restore a backup into an empty data directory",
  notes:
    "The server must be stopped, and KURZ_DATA_DIR must not exist or be empty except for hidden files. The whole backup is verified before anything is written.",
  positionals: { directory: required("DIRECTORY", directoryPath, "The directory of the backup.") },
  run: async ({ config, paths, say }, { directory }) => {
    const [{ refuseDataOnServers }, { restoreBackup }] = await Promise.all([
      import("#backup/data-on-servers.ts"),
      import("#backup/restore.ts"),
    ]);
    refuseDataOnServers(config);
    const { manifest, links, clicks } = await restoreBackup({ paths, directory, say });
    const { taken_at, kurz, secret_key } = manifest;
    const needsKey = secret_key === "elsewhere" && config.secretKey === null;
    return { data_dir: paths.dataDir, taken_at, kurz, links, clicks, needs_secret_key: needsKey };
  },
  print: ({ data_dir, taken_at, links, clicks, needs_secret_key }) =>
    [
      `Restored the backup of ${taken_at} to ${data_dir}: ${links} links, ${clicks} clicks and the journal.`,
      ...(needs_secret_key
        ? ["It doesn't include the secret key: set KURZ_SECRET_KEY before you start the server."]
        : []),
    ].join("\n"),
});
