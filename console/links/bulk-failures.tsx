import { plural } from "#console/ui/format.ts";
import type { Link } from "#contract/link-record.ts";
import type { Failure } from "./bulk-change.ts";

const SHOWN_MAX = 50;

/** Which links couldn't be changed, and why. */
export function BulkFailures({ failures }: { readonly failures: readonly Failure<Link>[] }) {
  if (failures.length === 0) return null;
  return (
    <div role="alert" className="mb-2 max-h-40 overflow-auto rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
      <p className="font-medium">{plural(failures.length, "link")} couldn’t be changed:</p>
      <ul>
        {failures.slice(0, SHOWN_MAX).map(({ item, error }) => (
          <li key={item.id} className="truncate">
            /{item.slug}: {error.message}
          </li>
        ))}
      </ul>
      {failures.length > SHOWN_MAX && <p>and {plural(failures.length - SHOWN_MAX, "more", "more")}</p>}
    </div>
  );
}
