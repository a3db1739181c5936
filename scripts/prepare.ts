import { existsSync } from "node:fs";
import { join } from "node:path";
import "./link-command.ts";

// What npm runs once all packages are there. Only development dependencies can build what the server serves.
if (existsSync(join(import.meta.dir, "..", "node_modules", "bun-plugin-tailwind"))) {
  await import("./build-console.ts");
  await import("./build-clients.ts");
  await import("./build-docs.ts");
  await import("./build-mcp.ts");
} else {
  const { trimPackages } = await import("./trim-packages.ts");
  trimPackages(join(import.meta.dir, "..", "node_modules"));
  process.stderr.write(
    "The console, the clients and the documentation aren't built: that needs the development dependencies you left out.\n" +
      "For a small installation with all of them: npm ci && npm prune --omit=dev && npm run trim\n",
  );
}
