import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useWorkspace } from "#console/api/session.tsx";
import { problemOf } from "#console/ui/form-error.tsx";
import { previewUpload } from "#contract/console/imports.ts";
import { csvProblemText } from "./csv-problem.ts";

/** Which field has which column, as far as a person has said so; an empty one has none. */
export type Columns = Readonly<Record<string, string>>;

const none: Columns = {};

/** The first rows of an uploaded file with links or with clicks, and what its columns are. */
export function useCsvPreview(upload: string | null | undefined, kind: "links" | "counts", chosen: Columns = none) {
  const { account, call } = useWorkspace();
  return useQuery({
    queryKey: ["csv-preview", account.id, upload, kind, chosen],
    queryFn: ({ signal }) =>
      call(previewUpload, { params: { id: upload ?? "" }, body: { kind, columns: chosen }, signal }),
    enabled: Boolean(upload),
    placeholderData: keepPreviousData,
  });
}

type CsvPreview = ReturnType<typeof useCsvPreview>;

/** Whether the file can be imported with these columns; not while that is being found out. */
export const isImportable = ({ data, isPlaceholderData }: CsvPreview): boolean =>
  data?.problem === null && !isPlaceholderData;

/** Why a file can't be imported as it is, or not with these columns. */
export function problemOfPreview({ data, error }: CsvPreview): string | undefined {
  const problem = problemOf(error, "columns") ?? data?.problem ?? undefined;
  return problem === undefined ? undefined : csvProblemText(problem);
}
