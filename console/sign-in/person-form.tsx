import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { signInTexts as texts } from "#texts/sign-in.ts";
import { NewPasswordField } from "./new-password-field.tsx";

export interface Person {
  readonly email: string;
  readonly name: string;
  readonly account_name: string;
  readonly password: string;
}

interface PersonFormProps {
  /** Given where it is known already and must not be changed. */
  readonly email?: string;
  /** Whether an account of their own is made. */
  readonly withAccount: boolean;
  readonly submitLabel: string;
  readonly onSubmit: (person: Person) => Promise<void>;
  /** Fields that stand before all others. */
  readonly children?: (error: unknown) => ReactNode;
}

/** Everyone who becomes a user fills this in: at set-up, at sign-up or to join. */
export function PersonForm({ email = "", withAccount, submitLabel, onSubmit, children }: PersonFormProps) {
  const [person, setPerson] = useState<Person>({ email, name: "", account_name: "", password: "" });
  const submission = useMutation({ mutationFn: () => onSubmit(person) });
  const { error } = submission;
  const set = (change: Partial<Person>) => setPerson((before) => ({ ...before, ...change }));
  function submit(event: FormEvent): void {
    event.preventDefault();
    submission.mutate();
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {children?.(error)}
      {withAccount && (
        <TextField
          label={texts.accountName}
          hint={texts.accountNameHint}
          required
          maxLength={100}
          value={person.account_name}
          onChange={(event) => set({ account_name: event.target.value })}
          error={problemOf(error, "account_name")}
        />
      )}
      <TextField
        label={texts.yourName}
        autoComplete="name"
        required
        maxLength={100}
        value={person.name}
        onChange={(event) => set({ name: event.target.value })}
        error={problemOf(error, "name")}
      />
      <TextField
        label={texts.email}
        type="email"
        autoComplete="username"
        required
        disabled={email !== ""}
        value={person.email}
        onChange={(event) => set({ email: event.target.value })}
        error={problemOf(error, "email")}
      />
      <NewPasswordField
        label={texts.password}
        value={person.password}
        onChange={(password) => set({ password })}
        error={problemOf(error, "password")}
      />
      <FormError error={error} fields={["account_name", "name", "email", "password", "code"]} />
      <Button type="submit" look="primary" busy={submission.isPending}>
        {submitLabel}
      </Button>
    </form>
  );
}
