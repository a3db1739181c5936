import type { Link } from "#contract/link-record.ts";
import { bulkTexts as texts } from "#texts/link-bulk.ts";
import type { Failure } from "./bulk-change.ts";

const SHOWN_MAX = 50;

/** Which links couldn't be changed, and why. */
export function BulkFailures({ failures }: { readonly failures: readonly Failure<Link>[] }) {
  if (failures.length === 0) return null;
  return (
    <div role="alert" className="mb-2 max-h-40 overflow-auto rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
      <p className="font-medium">{texts.failed(failures.length)}</p>
      <ul>
        {failures.slice(0, SHOWN_MAX).map(({ item, error }) => (
          <li key={item.id} className="truncate">
            /{item.slug}: {error.message}
          </li>
        ))}
      </ul>
      {failures.length > SHOWN_MAX && <p>{texts.moreFailed(failures.length - SHOWN_MAX)}</p>}
    </div>
  );
}
