import { processIo } from "./io.ts";
import { runKurz } from "./run.ts";

// The reader has seen enough, as in `kurz links list | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

// Idle connections to the instance would keep the process for seconds.
runKurz(process.argv.slice(2), process.env, processIo).then((code) => process.exit(code));
