import type { z } from "zod";
import {
  cancelImport,
  getImport,
  importProblems,
  listImports,
  previewUpload,
  runImport,
  startImport,
  startUpload,
  undoImport,
  uploadChunk,
} from "#contract/console/imports.ts";
import { type Route, route, Streamed } from "#http/route.ts";
import { streamText } from "#http/stream-text.ts";
import { SourceProblem } from "#imports/import-source.ts";
import type { ImportRequest, ImportService } from "#imports/imports.service.ts";
import { linkFieldNames } from "#imports/sources/csv/csv-columns.ts";
import { previewCounts, previewCsv } from "#imports/sources/csv/csv-preview.ts";
import { bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { ConsoleCaller } from "./console-caller.ts";

type Me = ConsoleCaller;

/** Moving in from other services and files. */
export const importRoutes = (imports: ImportService): readonly Route<Me>[] => [
  route(listImports, async (me: Me) => ({ data: await imports.list(me), sources: imports.sources })),
  route(startImport, (me: Me, { body }) => {
    const {
      upload,
      file_name,
      counts_upload,
      on_conflict,
      sends_events,
      with_clicks,
      time_zone,
      domain,
      tag,
      ...rest
    } = body;
    const fileOf = (id: string | undefined): string | null => (id === undefined ? null : imports.uploads.get(me, id));
    const request: ImportRequest = {
      source: rest.source,
      token: rest.token,
      url: rest.url ?? "",
      columns: rest.columns ?? {},
      file: fileOf(upload),
      fileName: file_name ?? null,
      countsFile: fileOf(counts_upload),
      onConflict: on_conflict,
      domain: domain ?? null,
      tag: tag ?? null,
      sendsEvents: sends_events,
      withClicks: with_clicks,
      timeZone: time_zone,
      isDryRun: true,
    };
    return imports.begin(me, request);
  }),
  route(getImport, (me: Me, { params }) => imports.get(me, params.id)),
  route(runImport, (me: Me, { params, body }) => imports.resume(me, params.id, body.token)),
  route(cancelImport, (me: Me, { params }) => imports.cancel(me, params.id)),
  route(undoImport, (me: Me, { params }) => imports.undo(me, params.id)),
  route(importProblems, async (me: Me, { params }) => {
    const parts = await imports.problems(me, params.id);
    const headers = { "content-disposition": `attachment; filename="${params.id}-problems.csv"` };
    return new Streamed("text/csv", await streamText(parts, false), headers);
  }),
  route(startUpload, async (me: Me) => imports.uploads.start(me)),
  route(uploadChunk, async (me: Me, { params, body }) =>
    imports.uploads.add(me, params.id, body.offset, Buffer.from(body.data, "base64")),
  ),
  route(previewUpload, async (me: Me, { params, body }) => {
    const { columns, rows, mapping, problem } = await preview(imports.uploads.get(me, params.id), body);
    return {
      columns: [...columns],
      rows: rows.map((cells) => [...cells]),
      mapping: mapping as Record<string, string>,
      fields: [...linkFieldNames],
      problem,
    };
  }),
];

const preview = async (file: string, { kind, columns }: z.output<typeof previewUpload.body>) =>
  (kind === "counts" ? previewCounts(file) : previewCsv(file, columns)).catch((error) => {
    if (!(error instanceof SourceProblem)) throw error;
    // The path is the server's own.
    throw validationFailed([bodyProblem("columns", "invalid_format", error.message.replace(file, "The file"))]);
  });
