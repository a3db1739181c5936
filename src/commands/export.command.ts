import { open, rename, rm } from "node:fs/promises";
import { codeOf } from "#kernel/error-codes.ts";
import { withPaths } from "./caller-paths.ts";
import { command } from "./command.ts";
import { required } from "./option.ts";
import { filePath, idText } from "./option-values.ts";
import { sizeText } from "./size-text.ts";
import { throttle } from "./throttle.ts";
import { UsageError } from "./usage-error.ts";

const PROGRESS_MS = 500;
const OWNER_ONLY = 0o600;

export const exportAccount = command({
  name: "export",
  summary: "Export everything of an account to a file",
  notes:
    "Writes links with their histories, domains, tags, UTM templates, webhook endpoints and clicks (as counts) as NDJSON " +
    "files in one .tar.gz archive, which another instance can import. It contains no secrets, no passwords and nothing " +
    "that identifies a visitor. Links in the trash are left out. The server isn't interrupted, and writes the file " +
    "itself. See docs/moving.md.",
  positionals: {
    file: required("FILE", filePath, "Where to put it: a path that doesn't exist yet, such as acme.tar.gz."),
  },
  options: {
    account: required("ID", idText, "The account to export."),
  },
  ask: async (raw) => withPaths(raw, "file"),
  run: async ({ services: open, signal, progress }, { account, file }) => {
    const { webhooks, accountExport } = await open();
    const caller = await webhooks.callers.forAccount(account);
    const { parts } = await accountExport.download(caller, { withEndpoints: true });
    const bytes = await writeFile(file, parts, { signal, progress: throttle(progress, PROGRESS_MS) });
    return { account, file, bytes };
  },
  print: ({ account, file, bytes }) => `The account ${account} is in ${file} (${sizeText(bytes)}).`,
});

interface Writing {
  readonly signal: AbortSignal;
  progress(text: string): void;
}

/** A file that is there is complete: until then it has another name. */
async function writeFile(
  file: string,
  parts: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  { signal, progress }: Writing,
): Promise<number> {
  // Reserves the name, and fails before anything is read.
  await (await open(file, "wx", OWNER_ONLY).catch((error: unknown) => Promise.reject(explain(file, error)))).close();
  const partial = `${file}.part`;
  let bytes = 0;
  try {
    await using handle = await open(partial, "wx", OWNER_ONLY);
    for await (const part of parts) {
      signal.throwIfAborted();
      await handle.writeFile(part);
      bytes += part.byteLength;
      progress(`${sizeText(bytes)} written`);
    }
    await handle.sync();
    await rename(partial, file);
    return bytes;
  } catch (error) {
    await Promise.all([partial, file].map((path) => rm(path, { force: true })));
    throw error;
  }
}

const explain = (file: string, error: unknown): unknown =>
  codeOf(error) === "EEXIST" ? new UsageError(`${file} exists; choose another name`) : error;
