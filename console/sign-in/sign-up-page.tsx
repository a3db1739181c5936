import { Link, useNavigate } from "@tanstack/react-router";
import { call } from "#console/api/call.ts";
import { useConsoleState, useRefreshState } from "#console/api/session.tsx";
import { Redirect } from "#console/app/redirect.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { Filled } from "#console/ui/filled.tsx";
import { signUp } from "#contract/console/session.ts";
import { signInTexts as texts } from "#texts/sign-in.ts";
import { Gate } from "./gate.tsx";
import { PersonForm } from "./person-form.tsx";

export function SignUpPage() {
  const { data: state, error, refetch } = useConsoleState();
  const refresh = useRefreshState();
  const navigate = useNavigate();
  if (!state) return error && <Failure error={error} onRetry={refetch} />;
  if (state.signup !== "open") return <Redirect to="/sign-in" />;
  return (
    <Gate title={texts.createAnAccount}>
      <PersonForm
        withAccount
        submitLabel={texts.createAccount}
        onSubmit={async (person) => {
          await call(signUp, { body: person }, null);
          await refresh();
          await navigate({ to: "/", replace: true });
        }}
      />
      <p className="mt-5 text-center text-sm text-soft">
        <Filled
          text={texts.haveAccount}
          parts={{
            link: (
              <Link to="/sign-in" className="text-accent hover:underline">
                {texts.signIn}
              </Link>
            ),
          }}
        />
      </p>
    </Gate>
  );
}
