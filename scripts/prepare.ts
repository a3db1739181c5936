import { existsSync } from "node:fs";
import { join } from "node:path";
import "./link-command.ts";

// What npm runs once all packages are there. Only development dependencies can build the console.
if (existsSync(join(import.meta.dir, "..", "node_modules", "bun-plugin-tailwind"))) await import("./build-console.ts");
else {
  process.stderr.write(
    "The console isn't built, since its build needs the development dependencies that you left out.\n" +
      "For a small installation with a console: npm ci && npm prune --omit=dev\n",
  );
}
