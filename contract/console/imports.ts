import { z } from "zod";
import { Timestamp } from "../fields.ts";
import { TagName } from "../tag-name.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { everydayWork, noSudo, reading } from "./sudo.ts";

/** Work goes on in those that end with -ing; the others wait for a person, or are over. */
export const importStates = [
  "reading",
  "checking",
  "checked",
  "running",
  "done",
  "cancelled",
  "failed",
  "undoing",
  "undone",
] as const;
export type ImportState = (typeof importStates)[number];

export const conflictPolicies = ["skip", "suffix", "fail"] as const;
export type ConflictPolicy = (typeof conflictPolicies)[number];

/** What became of links, or would become of them. */
const Outcomes = z.object({
  created: z.int(),
  renamed: z.int().describe("Of those that are created: their slug was taken or not allowed, and has a suffix now."),
  imported_before: z.int(),
  conflicts: z.int().describe("Not created, because the slug is taken or not allowed."),
  refused: z.int().describe("Not created for another reason."),
});
export type Outcomes = z.output<typeof Outcomes>;

export const ImportForecast = Outcomes.extend({
  losses: z.array(z.object({ what: z.string(), links: z.int() })),
  hosts: z.array(
    z.object({
      host: z.string(),
      links: z.int(),
      is_yours: z.boolean().describe("Whether it is a domain of the account, so that short URLs stay the same."),
    }),
  ),
  active_links_limit: z.int().nullable(),
});
export type ImportForecast = z.output<typeof ImportForecast>;

export const Import = z.object({
  id: z.string(),
  source: z.string(),
  state: z.enum(importStates),
  problem: z.string().nullable().describe("Why it failed."),
  options: z.object({
    url: z.string(),
    file_name: z.string().nullable(),
    on_conflict: z.enum(conflictPolicies),
    domain: z.string().nullable(),
    tag: z.string().nullable(),
    sends_events: z.boolean(),
    with_clicks: z.boolean(),
  }),
  read: z.object({
    links: z.int(),
    counts: z.int(),
    unreadable: z.int(),
    notes: z.int().describe("Values that aren't known here, and what is left to do: they are in the list of problems."),
  }),
  checked_links: z.int(),
  forecast: ImportForecast.nullable(),
  links: Outcomes.extend({ done: z.int() }),
  counts: z.object({
    done: z.int(),
    clicks: z.int(),
    skipped: z.int().describe("Of links that this import didn't create, or not countable."),
  }),
  erased_links: z.int(),
  can_resume: z.boolean(),
  can_undo: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
  finished_at: Timestamp.nullable(),
});
export type Import = z.output<typeof Import>;

const params = z.strictObject({ id: z.string().max(255) });
const ofImports = "/console/api/imports";
const token = z.string().max(4000).describe("Only kept in memory while the source is read.");
const columns = z.record(z.string().max(100), z.string().max(500)).describe("CSV: the column of each field.");

export const listImports = consoleEndpoint({
  id: "console.imports.list",
  method: "GET",
  path: ofImports,
  summary: "List the account's imports, newest first",
  sudo: reading,
  role: "admin",
  status: 200,
  response: z.object({
    data: z.array(Import),
    sources: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        needs_token: z.boolean(),
        place: z.enum(["url", "file", "either"]),
      }),
    ),
  }),
});

export const startImport = consoleEndpoint({
  id: "console.imports.start",
  method: "POST",
  path: ofImports,
  summary: "Read links and clicks from a source and check them; nothing is created yet",
  sudo: everydayWork,
  role: "admin",
  body: z.strictObject({
    source: z.string().max(50),
    url: z.string().max(2000).optional(),
    token: token.optional(),
    upload: z.string().max(100).optional().describe("The id of an uploaded file."),
    file_name: z.string().max(255).optional().describe("What people call that file."),
    counts_upload: z.string().max(100).optional().describe("CSV: the id of an uploaded file with clicks by day."),
    columns: columns.optional(),
    on_conflict: z.enum(conflictPolicies).default("skip"),
    domain: z.string().max(253).nullish().describe("For links whose host isn't a domain of the account."),
    tag: TagName.nullish().describe("Added to every link."),
    sends_events: z.boolean().default(true),
    with_clicks: z.boolean().default(true),
    time_zone: z.string().max(100).default("UTC").describe("Of times without an offset."),
  }),
  status: 201,
  response: Import,
  errors: ["validation_failed"],
});

export const getImport = consoleEndpoint({
  id: "console.imports.get",
  method: "GET",
  path: `${ofImports}/{id}`,
  summary: "Get an import with its progress",
  sudo: reading,
  role: "admin",
  params,
  status: 200,
  response: Import,
  errors: ["not_found"],
});

export const runImport = consoleEndpoint({
  id: "console.imports.run",
  method: "POST",
  path: `${ofImports}/{id}/run`,
  summary: "Create the links and add the clicks of a checked import, or go on with one that stopped",
  sudo: everydayWork,
  role: "admin",
  params,
  body: z.strictObject({ token: token.optional() }),
  status: 200,
  response: Import,
  errors: ["not_found", "validation_failed"],
});

export const cancelImport = consoleEndpoint({
  id: "console.imports.cancel",
  method: "POST",
  path: `${ofImports}/{id}/cancel`,
  summary: "Stop an import; links that it has created stay",
  sudo: everydayWork,
  role: "admin",
  params,
  status: 200,
  response: Import,
  errors: ["not_found"],
});

export const undoImport = consoleEndpoint({
  id: "console.imports.undo",
  method: "POST",
  path: `${ofImports}/{id}/undo`,
  summary: "Erase all links that an import has created, with their clicks",
  sudo: noSudo("Only erases what the same role has imported, and can be imported again."),
  role: "admin",
  params,
  status: 200,
  response: Import,
  errors: ["not_found", "validation_failed"],
});

export const importProblems = consoleEndpoint({
  id: "console.imports.problems",
  method: "GET",
  path: `${ofImports}/{id}/problems`,
  summary: "Download what couldn't be imported as it was, as CSV",
  sudo: reading,
  role: "admin",
  params,
  query: z.strictObject({ account: z.string().max(255).optional() }),
  status: 200,
  streams: ["text/csv"],
  errors: ["not_found"],
});

const uploads = "/console/api/import-uploads";
export const UPLOAD_BYTES_MAX = 1024 ** 3;
export const UPLOAD_CHUNK_BYTES_MAX = 512 * 1024;

export const startUpload = consoleEndpoint({
  id: "console.imports.upload.start",
  method: "POST",
  path: uploads,
  summary: "Begin to upload a file",
  sudo: everydayWork,
  role: "admin",
  status: 201,
  response: z.object({ id: z.string() }),
  errors: ["validation_failed"],
});

export const uploadChunk = consoleEndpoint({
  id: "console.imports.upload.chunk",
  method: "POST",
  path: `${uploads}/{id}`,
  summary: "Upload the next part of a file, base64-encoded; repeating the last part is harmless",
  sudo: everydayWork,
  role: "admin",
  params,
  body: z.strictObject({
    offset: z.int().min(0).max(UPLOAD_BYTES_MAX),
    data: z.base64().max(Math.ceil(UPLOAD_CHUNK_BYTES_MAX / 3) * 4),
  }),
  bodyBytesMax: Math.ceil(UPLOAD_CHUNK_BYTES_MAX / 3) * 4 + 1024,
  status: 200,
  response: z.object({ bytes: z.int().describe("How much of the file is there.") }),
  errors: ["not_found", "validation_failed"],
});

export const previewUpload = consoleEndpoint({
  id: "console.imports.upload.preview",
  method: "POST",
  path: `${uploads}/{id}/preview`,
  summary: "Show the first rows of an uploaded CSV file, and which column has which field",
  sudo: reading,
  role: "admin",
  params,
  body: z.strictObject({
    columns: columns.default({}),
    kind: z.enum(["links", "counts"]).default("links").describe("What is in the file: links, or clicks by day."),
  }),
  status: 200,
  response: z.object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    mapping: z.record(z.string(), z.string()),
    fields: z.array(z.string()).describe("All that a column can be mapped to."),
    problem: z.string().nullable().describe("Why the file can't be imported with this mapping."),
  }),
  errors: ["not_found", "validation_failed"],
});
