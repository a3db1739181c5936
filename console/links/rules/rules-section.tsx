import { Fold } from "#console/ui/fold.tsx";
import { plural } from "#console/ui/format.ts";
import { withScheme } from "../link-form-values.ts";
import type { LinkFormState } from "../use-link-form.ts";
import { RulesEditor } from "./rules-editor.tsx";

/** Where some visitors go instead. */
export function RulesSection({ form: { values, change, problemUnder } }: { readonly form: LinkFormState }) {
  const count = values.rules.length;
  return (
    <Fold title="Rules" summary={count > 0 && plural(count, "rule")} used={count > 0}>
      <div className="border-t border-line p-3 sm:p-4">
        <RulesEditor
          rules={values.rules}
          onChange={(rules) => change("rules", rules)}
          complete={withScheme}
          problemUnder={problemUnder}
        />
      </div>
    </Fold>
  );
}
