import { prepareRecords } from "#runtime/prepare-records.ts";
import { command } from "./command.ts";

export const migrate = command({
  name: "migrate",
  summary: "Migrate the records to the newest schema",
  notes: "The server does this when it starts, and so does every command that runs without a server.",
  run: ({ config }) => prepareRecords(config),
  print: ({ applied, version }) =>
    applied.length === 0
      ? `The schema is current (version ${version}).`
      : `The schema is now at version ${version}; applied: ${applied.join(", ")}.`,
});
