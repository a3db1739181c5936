import { CallError } from "#console/api/call.ts";
import { isSudoRefusal } from "#console/api/sudo.ts";
import { uiTexts as texts } from "#texts/ui.ts";

/** What went wrong with a form as a whole; what concerns a field stands at the field. */
export function FormError({ error, fields = [] }: { readonly error: unknown; readonly fields?: readonly string[] }) {
  if (!error || isSudoRefusal(error)) return null;
  const isAtField = error instanceof CallError && error.fieldErrors.some(({ field }) => fields.includes(rootOf(field)));
  if (isAtField) return null;
  return (
    <p role="alert" className="mt-4 rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
      {error instanceof Error ? error.message : texts.wentWrong}
    </p>
  );
}

/** `scopes.0` is about `scopes`. */
export const rootOf = (field: string): string => field.split(".")[0] ?? field;

/** What is wrong with a field or with one of its items. */
export const problemOf = (error: unknown, field: string): string | undefined =>
  error instanceof CallError ? error.fieldErrors.find((one) => rootOf(one.field) === field)?.message : undefined;
