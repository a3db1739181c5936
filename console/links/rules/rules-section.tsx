import { classes } from "#console/ui/classes.ts";
import { Fold } from "#console/ui/fold.tsx";
import { linkFormTexts as texts } from "#texts/link-form.ts";
import type { LinkFormState } from "../use-link-form.ts";
import { withScheme } from "../with-scheme.ts";
import { DryRun } from "./dry-run.tsx";
import { RulesEditor } from "./rules-editor.tsx";

/** Where some visitors go instead, and beside it what a visitor would get. */
export function RulesSection({ form }: { readonly form: LinkFormState }) {
  const { values, change, problemUnder } = form;
  const count = values.rules.length;
  return (
    <Fold title={texts.fields.rules} summary={count > 0 && texts.rules(count)} used={count > 0}>
      <div
        className={classes(
          "grid grid-cols-[minmax(0,1fr)] gap-4 px-2 pt-1 pb-5",
          count > 0 && "lg:grid-cols-[minmax(0,1fr)_20rem]",
        )}
      >
        <RulesEditor
          rules={values.rules}
          onChange={(rules) => change("rules", rules)}
          complete={withScheme}
          problemUnder={problemUnder}
        />
        {count > 0 && <DryRun form={form} />}
      </div>
    </Fold>
  );
}
