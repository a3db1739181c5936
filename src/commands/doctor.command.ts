import { command } from "./command.ts";
import { flag } from "./option.ts";
import { formatTable } from "./table.ts";

export const doctor = command({
  name: "doctor",
  summary: "Check the installation and its data",
  notes:
    "It works with and without a running server; what can't be checked at the moment is listed as a warning. A problem " +
    "stops links or the API, loses data, or prevents the next start, and makes the exit code 1. Warnings alone leave it 0.",
  diagnoses: true,
  options: { repair: flag("Repair what can be repaired: the counts of active links.") },
  async run(context, options) {
    const { runChecks } = await import("./doctor/run-checks.ts");
    return runChecks(context, options);
  },
  print: ({ findings }) => {
    const [first = [], ...rest] = findings.map(({ level, check, message }) => [level, check, message]);
    return formatTable(first, rest);
  },
  exitCode: ({ healthy }) => (healthy ? 0 : 1),
});
