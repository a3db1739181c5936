import { useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { Field, inputClasses } from "#console/ui/field.tsx";
import { linkFormTexts } from "#texts/link-form.ts";
import type { PasswordValue } from "./setting-values.ts";

const { password: texts } = linkFormTexts;

interface PasswordFieldProps {
  readonly value: PasswordValue;
  /** The saved link has one. */
  readonly isSet: boolean;
  readonly onChange: (password: PasswordValue) => void;
  readonly problem: string | undefined;
}

/** A password is set, changed or removed, but never shown again. */
export function PasswordField({ value, isSet, onChange, problem }: PasswordFieldProps) {
  if (isSet && typeof value === "string") return <StoredPassword value={value} onChange={onChange} />;
  return (
    <NewPassword
      text={typeof value === "string" ? "" : value.text}
      // Emptying the field must not remove a password: that has a button of its own.
      onType={(text) => onChange(text === "" && !isSet ? "none" : { text })}
      onKeep={isSet ? () => onChange("kept") : null}
      problem={problem}
    />
  );
}

interface StoredPasswordProps {
  readonly value: "none" | "kept";
  readonly onChange: (password: PasswordValue) => void;
}

const StoredPassword = ({ value, onChange }: StoredPasswordProps) => (
  <fieldset className="min-w-0">
    <legend className="mb-1.5 text-sm font-medium">{texts.label}</legend>
    <div className="flex min-h-control flex-wrap items-center gap-2">
      {value === "kept" ? (
        <>
          <Button key="change" size="small" onClick={() => onChange({ text: "" })}>
            {texts.change}
          </Button>
          <Button key="remove" size="small" look="danger" onClick={() => onChange("none")}>
            {texts.remove}
          </Button>
        </>
      ) : (
        <Button key="keep" size="small" autoFocus onClick={() => onChange("kept")}>
          {texts.keep}
        </Button>
      )}
    </div>
    <p role="status" className="mt-1.5 text-sm text-soft">
      {value === "kept" ? texts.isSet : texts.isRemoved}
    </p>
  </fieldset>
);

interface NewPasswordProps {
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onKeep: (() => void) | null;
  readonly problem: string | undefined;
}

function NewPassword({ text, onType, onKeep, problem }: NewPasswordProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      label={onKeep ? texts.new : texts.label}
      aside={
        onKeep ? (
          <button type="button" className="rounded font-medium text-accent hover:underline" onClick={onKeep}>
            {texts.keepOld}
          </button>
        ) : (
          linkFormTexts.optional
        )
      }
      error={problem}
      hint={onKeep ? texts.replaces : texts.hint}
    >
      {(props) => (
        <div className="relative">
          <input
            {...props}
            type={isShown ? "text" : "password"}
            // biome-ignore lint/a11y/noAutofocus: it replaces the button that was just pressed
            autoFocus={onKeep !== null}
            autoComplete="new-password"
            maxLength={128}
            className={classes(inputClasses, "pr-24")}
            value={text}
            onChange={(event) => onType(event.target.value)}
          />
          <button
            type="button"
            className="absolute inset-y-1 right-1 rounded-md px-2 text-sm font-medium text-soft hover:bg-hover hover:text-text"
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? texts.hide : texts.show}
          </button>
        </div>
      )}
    </Field>
  );
}
