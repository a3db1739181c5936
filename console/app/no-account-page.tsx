import { useConsoleState } from "#console/api/session.tsx";
import { Gate } from "#console/sign-in/gate.tsx";
import { SignOutButton } from "#console/sign-in/sign-out-button.tsx";

/** For someone who was removed from their last account. */
export function NoAccountPage() {
  const { data: state } = useConsoleState();
  return (
    <Gate title="You belong to no account">
      <p className="mb-6 text-soft">
        You are signed in as {state?.session?.user.email}. Ask someone to invite you to their account.
      </p>
      <SignOutButton />
    </Gate>
  );
}
