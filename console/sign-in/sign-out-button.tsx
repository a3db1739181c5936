import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#console/api/call.ts";
import { forgetPrefetched } from "#console/api/prefetched.ts";
import { endDemoVisit } from "#console/demo/demo-visit.ts";
import { Button } from "#console/ui/button.tsx";
import { toastError } from "#console/ui/toast.tsx";
import { signOut } from "#contract/console/session.ts";
import { appTexts as texts } from "#texts/app.ts";

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(signOut, {}, null),
    onSuccess: ({ continue_at }) => {
      endDemoVisit();
      // Nothing of the account may stay in memory for who comes next.
      forgetPrefetched();
      const reset = client.resetQueries();
      if (continue_at !== null) window.location.assign(continue_at);
      return reset;
    },
    onError: toastError,
  });
}

export function SignOutButton() {
  const out = useSignOut();
  return (
    <Button onClick={() => out.mutate()} busy={out.isPending} className="w-full">
      {texts.signOut}
    </Button>
  );
}
