import { askForShortSlices } from "#runtime/short-slices.ts";

// Runs a command with high priority: on a machine of its own it wouldn't wait for the cores that it measures. Without
// permission it runs like any other program.
askForShortSlices();
const [, , ...command] = process.argv;
const child = Bun.spawn(command, { stdio: ["ignore", "inherit", "inherit"] });
process.exit(await child.exited);
