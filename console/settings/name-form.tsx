import type { UseMutationResult } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { settingsTexts as texts } from "#texts/settings.ts";

interface NameFormProps {
  readonly label: string;
  readonly name: string;
  readonly change: Pick<UseMutationResult<unknown, Error, string>, "mutate" | "isPending" | "error">;
}

/** One name, saved in place. */
export function NameForm({ label, name, change }: NameFormProps) {
  const [text, setText] = useState(name);
  function submit(event: FormEvent): void {
    event.preventDefault();
    change.mutate(text);
  }
  return (
    <form onSubmit={submit} className="max-w-xl">
      <div className="flex items-end gap-2 has-[p]:items-center">
        <div className="min-w-0 grow">
          <TextField
            label={label}
            required
            maxLength={100}
            value={text}
            onChange={(event) => setText(event.target.value)}
            error={problemOf(change.error, "name")}
          />
        </div>
        <Button type="submit" busy={change.isPending} disabled={text.trim() === "" || text.trim() === name}>
          {texts.save}
        </Button>
      </div>
      <FormError error={change.error} fields={["name"]} />
    </form>
  );
}
