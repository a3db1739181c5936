import { z } from "zod";
import { IMPORT_TOKEN_VARIABLE } from "#config/command-variables.ts";
import { mustBe } from "#config/parse-value.ts";
import { oneOf, text } from "#config/value-kinds.ts";
import { conflictPolicies, type Import } from "#contract/console/imports.ts";
import { withPaths } from "./caller-paths.ts";
import { type Command, type CommandContext, command } from "./command.ts";
import { describeImport, progressOf } from "./import-text.ts";
import { asked, flag, optional, required, withDefault } from "./option.ts";
import { filePath, idText } from "./option-values.ts";
import { formatTable } from "./table.ts";
import { throttle } from "./throttle.ts";

const PROGRESS_EVERY_MS = 200;

const MAPPING = mustBe("fields and columns such as slug=Keyword,title=Name");
const mapping = z
  .string()
  .regex(/^[a-z_]+=[^,]*(?:,[a-z_]+=[^,]*)*$/, MAPPING)
  .transform((value) => Object.fromEntries(value.split(",").map((pair) => splitOnce(pair))));

const splitOnce = (pair: string): [string, string] => {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
};

const day = z.iso.date(mustBe("a day such as 2026-01-31")).transform((value) => Date.parse(value));

const importId = required("IMPORT_ID", idText, "The import id, as imports list shows it.");

const following = ({ isServer, signal, progress }: CommandContext) => {
  const show = throttle(progress, PROGRESS_EVERY_MS);
  return { isServer, signal, onProgress: (now: Import) => show(progressOf(now)) };
};

/** Paths mean those of the operator's directory, and the token is no argument: other users could see it. */
const askForImport: Command["ask"] = async (raw, prompts) => {
  const [{ importSources }, { needsToken }] = await Promise.all([
    import("#imports/sources/all.ts"),
    import("#imports/import-source.ts"),
  ]);
  const source = importSources[String(raw.source)];
  const isTokenNeeded = source !== undefined && needsToken(source, raw.file === undefined ? null : String(raw.file));
  return { ...withPaths(raw, "file", "clicks-file"), ...(isTokenNeeded && { token: await askToken(prompts) }) };
};

const askToken = async ({ setting, readPassword }: Parameters<Command["ask"]>[1]): Promise<string> =>
  setting(IMPORT_TOKEN_VARIABLE) ?? (await readPassword("Token of the service: "));

const importCommand = command({
  name: "import",
  summary: "Import links and their clicks from another service or a file",
  notes:
    "SOURCE is csv, kurz, dub, bitly, shlink, kutt or yourls. The token of the service is read from " +
    `${IMPORT_TOKEN_VARIABLE}, from standard input, or prompted for; it is kept in memory while the service is read. ` +
    "First everything is read and checked, then links are created one by one as by the API, then clicks are added as " +
    "daily counts. Repeating an import creates nothing twice. With a running server the import goes on if you stop this " +
    "command; without one, the next start of the server goes on with it. See docs/moving.md.",
  positionals: {
    source: required("SOURCE", idText, "Where the links are."),
    file: optional("FILE", filePath, "The file to import, for csv, and for others that write one."),
  },
  options: {
    account: required("ID", idText, "The account that gets the links."),
    url: optional("URL", text, "The address of the service, if it runs in more than one place."),
    "dry-run": flag("Only read and check, and show what would happen; run it later with imports resume."),
    "on-conflict": withDefault(
      "skip",
      required(
        "C",
        oneOf(conflictPolicies),
        "What to do with slugs that are taken or not allowed: skip the link, add a suffix, or fail before anything is created.",
      ),
    ),
    domain: optional("NAME", text, "The domain of links whose own host isn't a domain of the account."),
    tag: optional("TAG", text, "A tag for every imported link."),
    map: optional("MAPPING", mapping, "For csv: which column has which field, as slug=Keyword,title=Name."),
    "clicks-file": optional("FILE", filePath, "For csv: a second file with clicks by slug and day."),
    "clicks-from": optional("DAY", day, "Leave out clicks before this day."),
    "time-zone": withDefault("UTC", required("ZONE", text, "The time zone of times without an offset.")),
    "no-clicks": flag("Import links only."),
    "no-events": flag("Send no webhook events."),
    token: asked(text),
  },
  ask: askForImport,
  run: async (context, input) => {
    const { importsForOperator } = await context.services();
    const request = {
      source: input.source,
      token: input.token ?? undefined,
      file: input.file,
      countsFile: input["clicks-file"],
      columns: input.map ?? {},
      url: input.url ?? "",
      onConflict: input["on-conflict"],
      domain: input.domain,
      tag: input.tag,
      sendsEvents: !input["no-events"],
      withClicks: !input["no-clicks"],
      countsFrom: input["clicks-from"],
      timeZone: input["time-zone"],
      isDryRun: input["dry-run"],
    };
    return importsForOperator.import(input.account, request, following(context));
  },
  print: describeImport,
  exitCode: ({ state }) => (state === "failed" || state === "cancelled" ? 1 : 0),
});

const importsList = command({
  name: "imports list",
  summary: "List the imports of an account",
  options: { account: required("ID", idText, "The account id.") },
  run: async ({ services }, { account }) => (await services()).importsForOperator.list(account),
  print: (imports) =>
    imports.length === 0
      ? "There are no imports."
      : formatTable(
          ["ID", "SOURCE", "STATE", "LINKS", "CLICKS", "STARTED"],
          imports.map(({ id, source, state, links, counts, created_at }) => [
            ...[id, source, state, String(links.created), String(counts.clicks), created_at],
          ]),
        ),
});

const importsShow = command({
  name: "imports show",
  summary: "Show what an import has done, or would do",
  positionals: { import: importId },
  options: { problems: flag("Print what couldn't be imported as it was, as CSV.") },
  run: async ({ services }, { import: id, problems }) => {
    const { importsForOperator } = await services();
    const shown = await importsForOperator.show(id);
    return { ...shown, problems: problems ? await importsForOperator.problems(id) : null };
  },
  // Nothing else is printed there, so that it can be saved as a file.
  print: ({ problems, ...shown }, program) => problems?.trimEnd() ?? describeImport(shown, program),
  notice: ({ problems, ...shown }, program) => (problems === null ? null : describeImport(shown, program)),
});

const importsCancel = command({
  name: "imports cancel",
  summary: "Stop an import; links that it has created stay",
  positionals: { import: importId },
  run: async ({ services }, { import: id }) => (await services()).importsForOperator.cancel(id),
  print: describeImport,
});

const importsResume = command({
  name: "imports resume",
  summary: "Run an import after its dry run, or go on with one that stopped",
  notes: `If it stopped while it was read, the token of the service is needed again: set ${IMPORT_TOKEN_VARIABLE}.`,
  positionals: { import: importId },
  options: { token: asked(text) },
  ask: async (raw, { setting }) => {
    const token = setting(IMPORT_TOKEN_VARIABLE);
    return token === undefined ? raw : { ...raw, token };
  },
  run: async (context, { import: id, token }) => {
    const { importsForOperator } = await context.services();
    return importsForOperator.resume(id, token ?? undefined, following(context));
  },
  print: describeImport,
  exitCode: ({ state }) => (state === "failed" || state === "cancelled" ? 1 : 0),
});

const importsUndo = command({
  name: "imports undo",
  summary: "Erase all links that an import has created, with their clicks",
  notes: "This can't be undone, but the import can be repeated: the account may have the same slugs again.",
  positionals: { import: importId },
  run: async (context, { import: id }) => (await context.services()).importsForOperator.undo(id, following(context)),
  print: describeImport,
});

export const importCommands = [importCommand, importsList, importsShow, importsCancel, importsResume, importsUndo];
