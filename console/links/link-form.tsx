import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { DialogFooter } from "#console/ui/dialog.tsx";
import { TextField } from "#console/ui/field.tsx";
import { Fold } from "#console/ui/fold.tsx";
import { formatAddress } from "#console/ui/format.ts";
import type { Link } from "#contract/link-record.ts";
import { showAddress } from "#shared/shown-host.ts";
import { linkFormTexts as texts } from "#texts/link-form.ts";
import { uiTexts } from "#texts/ui.ts";
import { ConflictNote } from "./conflict-note.tsx";
import { DomainField } from "./domain-field.tsx";
import { ExpiryField } from "./expiry-field.tsx";
import { finalAddress, type LinkValues } from "./link-form-values.ts";
import { expiryHint } from "./link-hints.ts";
import { MoreSection } from "./more-section.tsx";
import { PreviewSection } from "./preview-section.tsx";
import { ProtectionSection } from "./protection-section.tsx";
import { RulesSection } from "./rules/rules-section.tsx";
import { SlugField } from "./slug-field.tsx";
import { TagsInput } from "./tags-input.tsx";
import { TitleAside } from "./title-aside.tsx";
import { useDomainChoice } from "./use-domain-choice.ts";
import { useLinkForm } from "./use-link-form.ts";
import { useTitleSuggestion } from "./use-title-suggestion.ts";
import { UtmFields } from "./utm-fields.tsx";
import { withScheme } from "./with-scheme.ts";

interface LinkFormProps {
  readonly link: Link | null;
  /** What a new link begins with. */
  readonly start: LinkValues;
  readonly onCreated?: ((link: Link) => void) | undefined;
  readonly onDirty: (dirty: boolean) => void;
  /** Rules need room beside them, where it is tried what they do. */
  readonly onRules: (hasRules: boolean) => void;
  readonly onClose: () => void;
  readonly onDone: () => void;
  /** Someone wants to leave although something would be lost. */
  readonly discarding: boolean;
  readonly onKeep: () => void;
}

export function LinkForm(props: LinkFormProps) {
  const { link, start, onCreated, onDirty, onRules, onClose, onDone, discarding, onKeep } = props;
  const form = useLinkForm(link, { start, onCreated, onDone });
  const { values, change, touch, problemOf, isDirty, busy, failure } = form;
  const domains = useDomainChoice(values.domain);
  const suggestion = useTitleSuggestion(form);
  const element = useRef<HTMLFormElement>(null);
  const failureNote = useRef<HTMLParagraphElement>(null);
  const wasFocused = useRef(false);
  const wasDiscarding = useRef(false);
  const lastField = useRef<HTMLElement | null>(null);
  // Before the next key press, which may be Escape.
  useLayoutEffect(() => onDirty(isDirty), [onDirty, isDirty]);

  // Back where the question came up.
  useEffect(() => {
    if (wasDiscarding.current && !discarding) {
      const first = element.current?.querySelector<HTMLElement>("[data-first]");
      (lastField.current?.isConnected ? lastField.current : first)?.focus();
    }
    wasDiscarding.current = discarding;
  }, [discarding]);

  const hasRules = values.rules.length > 0;
  useLayoutEffect(() => onRules(hasRules), [onRules, hasRules]);

  const [attempts, setAttempts] = useState(0);
  // The first field that is wrong is where the work goes on, once it is drawn as such.
  useEffect(() => {
    if (attempts === 0) return;
    const wrong = element.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    // In a part that is folded away nothing can have the focus.
    wrong?.closest("details")?.setAttribute("open", "");
    wrong?.focus();
    // What belongs to no field stands at the end, which may be out of sight.
    if (!wrong) failureNote.current?.scrollIntoView({ block: "nearest" });
  }, [attempts]);

  async function submit(): Promise<void> {
    await form.submit();
    setAttempts((before) => before + 1);
  }

  const { isDeceptive } = showAddress(finalAddress(values, form.ownHosts) ?? "");
  const utmCount = Object.values(values.utm).filter((value) => value.trim() !== "").length;
  return (
    <form
      ref={element}
      noValidate
      onBlur={({ target }) => {
        if (target.matches("input, textarea, select")) lastField.current = target;
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {form.conflict && <ConflictNote form={form} conflict={form.conflict} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 pb-2">
        {form.base && (
          <div className="-mb-1 flex min-w-0 items-center gap-1">
            <span className="truncate font-semibold">{formatAddress(form.base.short_url)}</span>
            <CopyButton text={form.base.short_url} label={texts.copyShort} />
          </div>
        )}
        <TextField
          label={texts.fields.destination_url}
          type="url"
          inputMode="url"
          placeholder="https://example.com/a/long/address"
          autoComplete="off"
          data-first
          required
          value={values.destination_url}
          error={problemOf("destination_url")}
          hint={isDeceptive && uiTexts.lookAlike}
          onChange={({ target, nativeEvent }) => {
            change("destination_url", target.value);
            if ("inputType" in nativeEvent && nativeEvent.inputType === "insertFromPaste")
              suggestion.look(target.value);
          }}
          onFocus={({ target }) => {
            // Opened with a long address, it shows where that leads, rather than how it ends.
            if (form.base && !wasFocused.current) target.setSelectionRange(0, 0);
            wasFocused.current = true;
          }}
          onBlur={() => {
            if (values.destination_url === "") return;
            const whole = withScheme(values.destination_url);
            // What the server said of it stays while it is the same.
            if (whole !== values.destination_url) change("destination_url", whole);
            touch("destination_url");
            suggestion.look(values.destination_url);
          }}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          {!form.base && (
            <DomainField
              options={domains.options}
              chosen={domains.chosen}
              onChange={(domain) => change("domain", domain)}
              problem={problemOf("domain")}
            />
          )}
          {!form.base && (
            <SlugField
              domain={domains.chosen}
              value={values.slug}
              onChange={(slug) => change("slug", slug)}
              onBlur={() => touch("slug")}
              problem={problemOf("slug")}
            />
          )}
          <TextField
            ref={suggestion.field}
            label={texts.fields.title}
            aside={<TitleAside suggestion={suggestion} plain={texts.optional} />}
            placeholder={texts.titlePlaceholder}
            maxLength={255}
            value={values.title}
            error={problemOf("title")}
            onChange={(event) => change("title", event.target.value)}
            onBlur={() => touch("title")}
          />
          <ExpiryField
            value={values.expires_at}
            onChange={(instant) => change("expires_at", instant)}
            onBlur={() => touch("expires_at")}
            problem={problemOf("expires_at")}
            hint={expiryHint(values, domains.addressOf("expired_redirect_url"))}
          />
          <TagsInput
            tags={values.tags}
            onChange={(tags) => change("tags", tags)}
            problem={problemOf("tags")}
            wide={!form.base && domains.options.length === 1}
          />
        </div>
        <div className="-mx-2 grid grid-cols-[minmax(0,1fr)] border-y border-line">
          <Fold title={texts.fields.utm} summary={utmCount > 0 && texts.utm.set(utmCount)} used={utmCount > 0}>
            <UtmFields
              values={values}
              onChange={(utm) => change("utm", utm)}
              problemOf={problemOf}
              ownHosts={form.ownHosts}
            />
          </Fold>
          <RulesSection form={form} />
          <ProtectionSection form={form} addressOf={domains.addressOf} />
          <PreviewSection form={form} />
          <MoreSection form={form} />
        </div>
      </div>
      {failure && (
        <p ref={failureNote} role="alert" className="mt-5 rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
          {failure}
        </p>
      )}
      {/* Apart by their keys: a button that turned into another while it is clicked would submit the form. */}
      {discarding ? (
        <DialogFooter key="discard">
          <p role="alert" className="mr-auto text-sm">
            {texts.discard.question}
          </p>
          <Button autoFocus onClick={onKeep}>
            {texts.discard.keep}
          </Button>
          <Button look="danger" onClick={onDone}>
            {texts.discard.discard}
          </Button>
        </DialogFooter>
      ) : (
        <DialogFooter key="save">
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button look="primary" type="submit" busy={busy} disabled={form.base !== null && !isDirty}>
            {form.base ? texts.save : texts.create}
          </Button>
        </DialogFooter>
      )}
    </form>
  );
}
