import { noteUse } from "#runtime/moved-data.ts";
import { prepareRecords } from "#runtime/prepare-records.ts";
import { adoptSecretKey } from "#runtime/secret-key.ts";
import { command } from "./command.ts";

const adopt = command({
  name: "secret-key adopt",
  summary: "Use the secret key that is set now, although the stored secrets were encrypted with another one",
  notes:
    "Only if the old key is lost or known to others: what was encrypted with it can't be read any more. All sessions end, " +
    "webhook endpoints need a new secret (webhooks rotate), and people who use an authenticator app have to set it up " +
    "again (users reset-2fa). Stop all nodes first, and give them all the same key.",
  async run({ config }) {
    await prepareRecords(config);
    await noteUse(config);
    return { was_changed: await adoptSecretKey(config) };
  },
  print: ({ was_changed }) =>
    was_changed
      ? "Kurz now uses this secret key; secrets that were encrypted with another one can't be read any more."
      : "This is the secret key in use already.",
});

export const secretKeyCommands = [adopt];
