import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button } from "#console/ui/button.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { createDomain } from "#contract/domains.ts";
import { domainTexts as texts } from "#texts/domains.ts";
import { uiTexts } from "#texts/ui.ts";

/** What people copy from the address bar. */
const hostOf = (text: string): string =>
  text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "");

/** Adds a domain, then shows what to do to verify it. */
export function AddDomainDialog({ onClose }: { readonly onClose: () => void }) {
  const { account, call } = useWorkspace();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const adding = useChange(() => call(createDomain, { body: { name: hostOf(name) } }), {
    refreshes: ["domains", "account"],
    inForm: true,
    onDone: ({ id }) =>
      // In the place of the entry with this dialog, so that going back doesn't open it again.
      void navigate({ to: "/a/$account/domains/$domain", params: { account: account.id, domain: id }, replace: true }),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    adding.mutate();
  }
  return (
    <Dialog title={texts.add} open onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <TextField
          label={texts.form.name}
          inputMode="url"
          placeholder="go.example.com"
          hint={texts.form.hint}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-first
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={problemOf(adding.error, "name")}
        />
        <FormError error={adding.error} fields={["name"]} />
        <DialogFooter>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" look="primary" busy={adding.isPending} disabled={name.trim() === ""}>
            {texts.add}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
