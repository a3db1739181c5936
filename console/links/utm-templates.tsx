import { useQuery } from "@tanstack/react-query";
import { Bookmark, ChevronDown } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { inputClasses } from "#console/ui/field.tsx";
import { Popover, useClosePopover } from "#console/ui/popover.tsx";
import {
  deleteUtmTemplate,
  listUtmTemplates,
  saveUtmTemplate,
  UTM_TEMPLATE_NAME_MAX,
} from "#contract/console/utm-templates.ts";
import { utmKeys } from "#contract/limits.ts";
import { utmTexts as texts } from "#texts/utm.ts";
import { type LinkValues, setUtm, utmValues } from "./link-form-values.ts";
import { SavedChoice } from "./saved-choice.tsx";

type UtmValues = LinkValues["utm"];

interface UtmTemplatesProps {
  readonly utm: UtmValues;
  readonly onChoose: (utm: UtmValues) => void;
}

/** Sets of parameters with a name, shared by the account. */
export function UtmTemplates(props: UtmTemplatesProps) {
  return (
    <Popover
      align="start"
      label={texts.templates}
      className="w-72 p-2"
      trigger={
        <Button size="small">
          <Bookmark className="size-4" aria-hidden />
          {texts.templates}
          <ChevronDown className="size-4 opacity-60" aria-hidden />
        </Button>
      }
    >
      <TemplateChoices {...props} />
    </Popover>
  );
}

const isSame = (one: UtmValues, other: UtmValues): boolean =>
  utmKeys.every((key) => one[key].trim() === other[key].trim());

function TemplateChoices({ utm, onChoose }: UtmTemplatesProps) {
  const { account, call } = useWorkspace();
  const close = useClosePopover();
  const { data } = useQuery({
    queryKey: ["utm-templates", account.id],
    queryFn: () => call(listUtmTemplates),
  });
  const deleting = useChange((id: string) => call(deleteUtmTemplate, { params: { id } }), {
    refreshes: ["utm-templates"],
  });
  if (!data) return null;
  const templates = data.data.map((template) => ({ ...template, values: utmValues(template.utm) }));
  const isKnown = templates.some(({ values }) => isSame(values, utm));
  const isEmpty = Object.keys(setUtm(utm)).length === 0;
  return (
    <>
      {templates.length > 0 && (
        <ul aria-label={texts.templates} className="max-h-64 overflow-auto">
          {templates.map(({ id, name, values }) => (
            <SavedChoice
              key={id}
              name={name}
              isCurrent={isSame(values, utm)}
              onChoose={() => {
                close();
                onChoose(values);
              }}
              deleteLabel={texts.delete(name)}
              onDelete={() => deleting.mutate(id)}
            />
          ))}
        </ul>
      )}
      {isEmpty && templates.length === 0 && <p className="px-2 py-1.5 text-sm text-soft">{texts.none}</p>}
      {!isEmpty && !isKnown && <SaveTemplate utm={utm} />}
    </>
  );
}

/** Not a form, since it is within the link's. */
function SaveTemplate({ utm }: { readonly utm: UtmValues }) {
  const { call } = useWorkspace();
  const [name, setName] = useState("");
  const saving = useChange(() => call(saveUtmTemplate, { body: { name: name.trim(), utm: setUtm(utm) } }), {
    refreshes: ["utm-templates"],
  });
  const save = (): void => {
    if (name.trim() !== "" && !saving.isPending) saving.mutate();
  };
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    save();
  }
  return (
    <div className="mt-2 flex gap-2 first:mt-0">
      <input
        data-first
        type="text"
        aria-label={texts.name}
        placeholder={texts.saveAs}
        maxLength={UTM_TEMPLATE_NAME_MAX}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={onKeyDown}
        className={classes(inputClasses, "h-9! text-sm")}
      />
      <Button look="primary" size="small" className="h-9!" disabled={name.trim() === ""} onClick={save}>
        {texts.save}
      </Button>
    </div>
  );
}
