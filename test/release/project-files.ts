import { readdirSync } from "node:fs";
import { join, relative } from "node:path";

const LEFT_OUT = /(?:^|\/)(?:\.git|node_modules|[^/]*\.log)$|^(?:dist|data[^/]*|\.env)$/;

/** Every file of the project, without what is installed, built or stored. */
export function projectFiles(root: string, directory = root): readonly string[] {
  return readdirSync(directory, { withFileTypes: true })
    .map((entry) => ({ entry, path: join(directory, entry.name) }))
    .filter(({ path }) => !LEFT_OUT.test(relative(root, path)))
    .flatMap(({ entry, path }) => {
      return entry.isDirectory() ? projectFiles(root, path) : [relative(root, path)];
    });
}
