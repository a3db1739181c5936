import { useQuery } from "@tanstack/react-query";
import { Bookmark, ChevronDown } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { inputClasses } from "#console/ui/field.tsx";
import { ignoreSecondClick } from "#console/ui/ignore-second-click.ts";
import { Popover, useClosePopover } from "#console/ui/popover.tsx";
import { toast } from "#console/ui/toast.tsx";
import {
  deleteUtmTemplate,
  listUtmTemplates,
  saveUtmTemplate,
  UTM_TEMPLATE_NAME_MAX,
  type UtmTemplate,
} from "#contract/console/utm-templates.ts";
import { utmKeys } from "#contract/limits.ts";
import { uiTexts } from "#texts/ui.ts";
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
  const { deleted, deleteTemplate, restore } = useDeletion();
  if (!data) return null;
  const templates = data.data.map((template) => ({ template, values: utmValues(template.utm) }));
  const isKnown = templates.some(({ values }) => isSame(values, utm));
  const isEmpty = Object.keys(setUtm(utm)).length === 0;
  return (
    <>
      {templates.length > 0 && (
        <ul aria-label={texts.templates} className="max-h-64 overflow-auto">
          {templates.map(({ template, values }) => (
            <SavedChoice
              key={template.id}
              name={template.name}
              isCurrent={isSame(values, utm)}
              onChoose={() => {
                close();
                onChoose(values);
              }}
              deleteLabel={texts.delete(template.name)}
              onDelete={() => deleteTemplate(template)}
            />
          ))}
        </ul>
      )}
      {deleted && (
        <p className="flex items-center justify-between gap-2 px-2 py-1.5 text-sm">
          <span role="status" className="min-w-0 break-words">
            {texts.deleted(deleted.name)}
          </span>
          {/* Here rather than in a notice, which can't be clicked while a dialog is open. */}
          <Button key={deleted.id} size="small" autoFocus onClick={() => restore(deleted)}>
            {uiTexts.undo}
          </Button>
        </p>
      )}
      {isEmpty && templates.length === 0 && <p className="px-2 py-1.5 text-sm text-soft">{texts.none}</p>}
      {!isEmpty && !isKnown && <SaveTemplate utm={utm} />}
    </>
  );
}

/** Everyone in the account loses a template, so the last one that was deleted can be brought back. */
function useDeletion() {
  const { call } = useWorkspace();
  const [deleted, setDeleted] = useState<UtmTemplate | null>(null);
  const refreshes = ["utm-templates"];
  const deleting = useChange(
    async (template: UtmTemplate) => {
      await call(deleteUtmTemplate, { params: { id: template.id } });
      return template;
    },
    { refreshes, onDone: setDeleted },
  );
  const restoring = useChange(({ name, utm }: UtmTemplate) => call(saveUtmTemplate, { body: { name, utm } }), {
    refreshes,
    onDone: () => setDeleted(null),
  });
  return {
    deleted,
    deleteTemplate(template: UtmTemplate): void {
      // The next template moves up, under the pointer.
      ignoreSecondClick();
      deleting.mutate(template);
    },
    restore: restoring.mutate,
  };
}

/** Not a form, since it is within the link's. */
function SaveTemplate({ utm }: { readonly utm: UtmValues }) {
  const { call } = useWorkspace();
  const [name, setName] = useState("");
  const close = useClosePopover();
  const saving = useChange(() => call(saveUtmTemplate, { body: { name: name.trim(), utm: setUtm(utm) } }), {
    refreshes: ["utm-templates"],
    onDone({ name }) {
      toast(texts.saved(name));
      close();
    },
  });
  const save = (): void => {
    if (name.trim() === "" || saving.isPending) return;
    // What lies below is under the pointer once this closes.
    ignoreSecondClick();
    saving.mutate();
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
