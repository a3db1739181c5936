import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { CallError, call } from "#console/api/call.ts";
import { useConsoleState, useRefreshState } from "#console/api/session.tsx";
import { Button, buttonClasses } from "#console/ui/button.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { signUp } from "#contract/console/session.ts";
import { acceptInvitation, getInvitation } from "#contract/console/user.ts";
import { signInTexts as texts } from "#texts/sign-in.ts";
import { Gate } from "./gate.tsx";
import { OrLine } from "./or-line.tsx";
import { PersonForm } from "./person-form.tsx";
import { SignOutButton } from "./sign-out-button.tsx";
import { SsoButton } from "./sso-button.tsx";

/** Where an invitation leads. */
export function JoinPage() {
  const { invitation: id } = useParams({ from: "/join/$invitation" });
  const { data: state } = useConsoleState();
  const refresh = useRefreshState();
  const navigate = useNavigate();
  const invitation = useQuery({
    queryKey: ["invitation", id],
    queryFn: () => call(getInvitation, { params: { id } }, null),
    retry: false,
  });
  async function enter(): Promise<void> {
    await refresh();
    await navigate({ to: "/", replace: true });
  }
  const acceptance = useMutation({
    mutationFn: () => call(acceptInvitation, { params: { id } }, null),
    onSuccess: enter,
  });
  if (invitation.error && !(invitation.error instanceof CallError && invitation.error.status === 404)) {
    return <Failure error={invitation.error} onRetry={invitation.refetch} />;
  }
  if (invitation.error) {
    return (
      <Gate title={texts.deadInvitation}>
        <p className="text-soft">{texts.deadInvitationNote}</p>
      </Gate>
    );
  }
  if (!invitation.data || !state) return null;
  const { account_name, email, has_user } = invitation.data;
  const signedInAs = state.session?.user.email;
  return (
    <Gate title={texts.joinAccount(account_name)}>
      {signedInAs === email && (
        <>
          <p className="mb-4 text-soft">{texts.signedInAs(email)}</p>
          <Button look="primary" className="w-full" busy={acceptance.isPending} onClick={() => acceptance.mutate()}>
            {texts.join}
          </Button>
          {acceptance.error && <p className="mt-3 text-sm text-bad">{acceptance.error.message}</p>}
        </>
      )}
      {signedInAs !== undefined && signedInAs !== email && (
        <>
          <p className="mb-4 text-soft">{texts.forAnother(email, signedInAs)}</p>
          <SignOutButton />
        </>
      )}
      {signedInAs === undefined && has_user && (
        <>
          <p className="mb-4 text-soft">{texts.signInAs(email)}</p>
          <Link to="/sign-in" search={{ next: `/join/${id}` }} className={buttonClasses({ look: "primary" })}>
            {texts.signIn}
          </Link>
        </>
      )}
      {signedInAs === undefined && !has_user && state.sso && (
        <>
          <div className="grid gap-3">
            <SsoButton />
          </div>
          <OrLine />
        </>
      )}
      {signedInAs === undefined && !has_user && (
        <PersonForm
          email={email}
          withAccount={false}
          submitLabel={texts.join}
          onSubmit={async ({ name, password }) => {
            await call(signUp, { body: { email, name, password, invitation: id } }, null);
            await enter();
          }}
        />
      )}
    </Gate>
  );
}
