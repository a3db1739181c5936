import { type FormEvent, useState } from "react";
import { CallError } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { tintOfColor } from "#console/links/use-tag-colors.ts";
import { Button } from "#console/ui/button.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { tintOf } from "#console/ui/tint.ts";
import { toast } from "#console/ui/toast.tsx";
import { TAG_LENGTH_MAX } from "#contract/tag-name.ts";
import { type Tag, type TagColor, tagColors, updateTag } from "#contract/tags.ts";
import { tagTexts as texts } from "#texts/tags.ts";
import { uiTexts } from "#texts/ui.ts";
import { TAG_QUERIES } from "./tag-queries.ts";

interface TagDialogProps {
  readonly tag: Tag;
  readonly onClose: () => void;
}

/** Another name or color for a tag. Where the name is another tag's, the two become one, if that is meant. */
export function TagDialog({ tag, onClose }: TagDialogProps) {
  const { call } = useWorkspace();
  const [name, setName] = useState(tag.name);
  const [color, setColor] = useState(tag.color);
  const wanted = name.trim();
  const change = useChange(
    (merge: boolean) =>
      call(updateTag, {
        params: { tag: tag.name },
        body: {
          ...(wanted !== tag.name && { name: wanted, ...(merge && { merge }) }),
          // The tag that it becomes one with keeps its own, unless another is chosen.
          ...(color !== tag.color && { color }),
        },
      }),
    {
      refreshes: TAG_QUERIES,
      inForm: true,
      onDone({ pending }) {
        toast(pending ? texts.goesOn(wanted) : texts.saved(wanted));
        onClose();
      },
    },
  );
  const isTaken = change.error instanceof CallError && change.error.code === "tag_exists";
  function submit(event: FormEvent): void {
    event.preventDefault();
    change.mutate(isTaken);
  }
  return (
    <Dialog title={isTaken ? texts.askMerge(tag.name, wanted) : texts.edit(tag.name)} open onClose={onClose}>
      <form onSubmit={submit} className="grid gap-4">
        {isTaken && (
          <p role="alert" className="text-soft">
            {texts.askMergeNote(tag.name, wanted)}
          </p>
        )}
        <TextField
          label={texts.name}
          data-first
          required
          maxLength={TAG_LENGTH_MAX}
          value={name}
          error={problemOf(change.error, "name")}
          onChange={(event) => {
            setName(event.target.value);
            change.reset();
          }}
        />
        <ColorChoice name={wanted} value={color} onChange={setColor} />
        {!isTaken && <FormError error={change.error} fields={["name"]} />}
        <DialogFooter>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" look="primary" busy={change.isPending} disabled={wanted === ""}>
            {isTaken ? texts.merge : texts.save}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

interface ColorChoiceProps {
  readonly name: string;
  readonly value: TagColor | null;
  readonly onChange: (color: TagColor | null) => void;
}

const ColorChoice = ({ name, value, onChange }: ColorChoiceProps) => (
  <fieldset>
    <legend className="mb-1.5 text-sm font-medium">{texts.color}</legend>
    <div className="flex flex-wrap gap-2">
      {[null, ...tagColors].map((color) => (
        <label
          key={color ?? "automatic"}
          style={color ? tintOfColor(color) : tintOf(name)}
          className="tinted cursor-pointer rounded-full px-2.5 py-1 text-sm font-medium outline-offset-2 outline-accent has-checked:outline-2 has-focus-visible:outline-3"
        >
          <input
            type="radio"
            name="color"
            className="sr-only"
            checked={value === color}
            onChange={() => onChange(color)}
          />
          {color ? texts.colors[color] : texts.automatic}
        </label>
      ))}
    </div>
  </fieldset>
);
