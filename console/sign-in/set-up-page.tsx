import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#console/api/call.ts";
import { useConsoleState, useRefreshState } from "#console/api/session.tsx";
import { Redirect } from "#console/app/redirect.tsx";
import { TextField } from "#console/ui/field.tsx";
import { problemOf } from "#console/ui/form-error.tsx";
import { setUp } from "#contract/console/session.ts";
import { signInTexts as texts } from "#texts/sign-in.ts";
import { Gate } from "./gate.tsx";
import { PersonForm } from "./person-form.tsx";

/** The very first account, for anyone who can read the server's output. */
export function SetUpPage() {
  const { code: given = "" } = useSearch({ from: "/setup" });
  const { data: state } = useConsoleState();
  const refresh = useRefreshState();
  const navigate = useNavigate();
  const [code, setCode] = useState(given);
  const [done, setDone] = useState(false);
  if (state && !state.setup_required && !done) return <Redirect to="/" />;
  return (
    <Gate title={texts.setUpTitle}>
      <PersonForm
        withAccount
        submitLabel={texts.createAccount}
        onSubmit={async (person) => {
          await call(setUp, { body: { code, ...person } }, null);
          setDone(true);
          await refresh();
          await navigate({ to: "/", replace: true });
        }}
      >
        {(error) => (
          <TextField
            label={texts.setUpCode}
            hint={texts.setUpCodeHint}
            autoComplete="off"
            required
            value={code}
            onChange={(event) => setCode(event.target.value.trim())}
            error={problemOf(error, "code")}
          />
        )}
      </PersonForm>
    </Gate>
  );
}
