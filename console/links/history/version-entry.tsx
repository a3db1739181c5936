import { RotateCcw } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "#console/ui/button.tsx";
import { formatInstant } from "#console/ui/format.ts";
import { When } from "#console/ui/when.tsx";
import type { LinkVersion } from "#contract/link-history.ts";
import { linkFormTexts } from "#texts/link-form.ts";
import { historyTexts as texts } from "#texts/link-history.ts";
import { changesOf, type FieldChange } from "./change-lines.ts";
import type { RecordedField } from "./version-fields.ts";
import { actionOf, nameOf } from "./version-words.ts";

interface VersionEntryProps {
  readonly version: LinkVersion;
  readonly isCurrent: boolean;
  /** What a revert has just created: the focus goes there, as the button that had it is gone. */
  readonly isNew: boolean;
  readonly isLast: boolean;
  /** What going back to it would change. */
  readonly reverts: readonly RecordedField[];
  readonly isBusy: boolean;
  readonly onRevert: () => void;
}

/** Who did what and when, what differs since, and the way back to it. */
export function VersionEntry({ version, isCurrent, isNew, isLast, reverts, isBusy, onRevert }: VersionEntryProps) {
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isNew) said.current?.focus();
  }, [isNew]);
  const { at, by, via, action } = version;
  const place = via && texts.via[via];
  return (
    <li className="relative pb-6 pl-6 last:pb-0">
      {!isLast && <span aria-hidden className="absolute top-3 bottom-0 left-[0.3125rem] w-px bg-line" />}
      <span
        aria-hidden
        className={`absolute top-1.5 left-0 size-[0.6875rem] rounded-full border-2 ${isCurrent ? "border-accent bg-accent" : "border-line-strong bg-card"}`}
      />
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <p ref={said} tabIndex={-1} className="min-w-0 rounded-sm break-words">
          {action === "unknown" ? (
            <span className="text-soft">{texts.unknown}</span>
          ) : (
            <>
              <span className="font-medium">{nameOf(by)}</span> {actionOf(version)}
              {place && <span className="text-sm text-faint"> · {place}</span>}
            </>
          )}
        </p>
        <p className="text-sm text-faint">
          {texts.version(version.version)}
          {isCurrent && ` · ${texts.current}`}
          {at !== null && (
            <>
              {" · "}
              <span title={formatInstant(at)}>
                <When instant={at} />
              </span>
            </>
          )}
        </p>
      </div>
      <Changes changes={changesOf(version)} />
      {reverts.length > 0 && (
        <Button
          size="small"
          className="mt-2"
          disabled={isBusy}
          title={texts.wouldChange(reverts.filter((field) => field !== "password_protected"))}
          onClick={onRevert}
        >
          <RotateCcw className="-ml-0.5 size-3.5" aria-hidden />
          {texts.revert}
        </Button>
      )}
    </li>
  );
}

const Changes = ({ changes }: { readonly changes: readonly FieldChange[] }) =>
  changes.length > 0 && (
    <dl className="mt-2 grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[9rem_1fr]">
      {changes.map(({ field, removed, added }) => (
        <div key={field} className="grid gap-y-0.5 sm:col-span-2 sm:grid-cols-subgrid">
          <dt className="text-soft">{fieldNames[field] ?? field}</dt>
          <dd className="grid min-w-0 gap-1">
            {removed.map((line) => (
              <del
                key={line}
                className="rounded-md bg-bad-soft px-2 py-0.5 break-words whitespace-pre-wrap text-bad no-underline"
              >
                <span className="sr-only">{texts.removed}: </span>
                <span aria-hidden>− </span>
                {line}
              </del>
            ))}
            {added.map((line) => (
              <ins
                key={line}
                className="rounded-md bg-good-soft px-2 py-0.5 break-words whitespace-pre-wrap text-good no-underline"
              >
                <span className="sr-only">{texts.added}: </span>
                <span aria-hidden>+ </span>
                {line}
              </ins>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );

const fieldNames: Readonly<Partial<Record<RecordedField, string>>> = { ...linkFormTexts.fields, ...texts.fields };
