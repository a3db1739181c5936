import { useWorkspace } from "#console/api/session.tsx";

/** What everyone on the page must know. */
export function Banners() {
  const { account, state } = useWorkspace();
  return (
    <>
      {account.suspended && (
        <p className="border-b border-line bg-bad-soft px-4 py-2 text-center text-sm text-bad">
          The operator has suspended this account: its links do not redirect, and nothing can be changed.
        </p>
      )}
      {state.demo && (
        <p className="border-b border-line bg-warn-soft px-4 py-2 text-center text-sm text-warn">
          This is a demo: everything is fictional and starts anew at{" "}
          {new Date(state.demo.resets_at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}.
        </p>
      )}
    </>
  );
}
