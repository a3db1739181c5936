import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

// npm links the commands of dependencies only. With this one, `npx kurz` works in a checkout as well.
const link = join(import.meta.dir, "..", "node_modules", ".bin", "kurz");
rmSync(link, { force: true });
symlinkSync(join("..", "..", "bin", "kurz"), link);
