import { existsSync } from "node:fs";
import { join } from "node:path";
import "./link-command.ts";

// What npm runs once all packages are there. Only development dependencies can build the console and the clients.
if (existsSync(join(import.meta.dir, "..", "node_modules", "bun-plugin-tailwind"))) {
  await import("./build-console.ts");
  await import("./build-clients.ts");
} else {
  const { trimPackages } = await import("./trim-packages.ts");
  trimPackages(join(import.meta.dir, "..", "node_modules"));
  process.stderr.write(
    "The console and the clients aren't built, since that needs the development dependencies that you left out.\n" +
      "For a small installation with both: npm ci && npm prune --omit=dev && npm run trim\n",
  );
}
