import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

// npm only links commands of dependencies. With this link, `npx kurz` works in a checkout too.
const link = join(import.meta.dir, "..", "node_modules", ".bin", "kurz");
rmSync(link, { force: true });
symlinkSync(join("..", "..", "bin", "kurz"), link);
