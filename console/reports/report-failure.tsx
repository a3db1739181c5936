import { CallError } from "#console/api/call.ts";
import { Button } from "#console/ui/button.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { rootOf } from "#console/ui/form-error.tsx";
import { reportTexts } from "#texts/reports.ts";
import { useReportScope } from "./report-context.tsx";
import { namesOf, withoutRefused } from "./report-search.ts";

const texts = reportTexts.filters;

/** Why there is no report; where the address asks for something that there is not, that can be taken out of it. */
export function ReportFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { search, show } = useReportScope();
  const refused = error instanceof CallError ? error.fieldErrors.map(({ field }) => rootOf(field)) : [];
  const rest = withoutRefused(search, refused);
  const cleared = namesOf(search).filter((name) => !namesOf(rest).includes(name));
  if (cleared.length === 0) return <Failure error={error} onRetry={onRetry} />;
  return (
    <Failure
      error={error}
      action={
        <Button onClick={() => show((before) => withoutRefused(before, refused))}>
          {texts.clear(cleared.join(", "))}
        </Button>
      }
    />
  );
}
