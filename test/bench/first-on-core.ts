import { askForShortSlices } from "#runtime/short-slices.ts";

// Runs a command that gets a core soon when it wants one: on a machine of its own it would not wait for the cores that
// it measures. Where that cannot be had it runs as any other program.
askForShortSlices();
const [, , ...command] = process.argv;
const child = Bun.spawn(command, { stdio: ["ignore", "inherit", "inherit"] });
process.exit(await child.exited);
