import { takeBackup } from "#backup/backup.ts";
import { sumBytes } from "#backup/manifest.ts";
import { deskCommand } from "./command.ts";
import { required } from "./option.ts";
import { directoryPath } from "./option-values.ts";

export const backup = deskCommand({
  name: "backup",
  summary: "Take a backup of links, accounts and clicks",
  notes:
    "It is one consistent cut, also beside a running server, which goes on meanwhile. It holds the secret key: keep it as safe as the data.",
  positionals: { directory: required("DIRECTORY", directoryPath, "Where to put it; nothing may be there yet.") },
  run: async ({ config, paths, say }, { directory }) => {
    const manifest = await takeBackup({ config, paths, directory, say });
    const { taken_at, secret_key, files } = manifest;
    return { directory, taken_at, secret_key, files: files.length, bytes: sumBytes(manifest) };
  },
  print: ({ directory, taken_at, secret_key, bytes }) =>
    [
      `The backup of ${taken_at} is in ${directory} (${(bytes / 1e6).toFixed(1)} MB).`,
      ...(secret_key === "included" ? [] : ["The secret key is not in it: keep KURZ_SECRET_KEY as well."]),
    ].join("\n"),
});
