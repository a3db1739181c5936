import { useMutation } from "@tanstack/react-query";
import { useRefreshState, useWorkspace } from "#console/api/session.tsx";
import { toast } from "#console/ui/toast.tsx";
import { updateAccount } from "#contract/console/account.ts";
import { updateUser } from "#contract/console/user.ts";
import { settingsTexts as texts } from "#texts/settings.ts";

export function useRenameAccount() {
  const { call } = useWorkspace();
  return useRename((name) => call(updateAccount, { body: { name } }));
}

export function useRenamePerson() {
  const { call } = useWorkspace();
  return useRename((name) => call(updateUser, { body: { name } }));
}

/** Names stand all over the page, in what it knows of the session. */
function useRename(work: (name: string) => Promise<unknown>) {
  const refresh = useRefreshState();
  return useMutation({
    mutationFn: work,
    async onSuccess() {
      await refresh();
      toast(texts.saved);
    },
  });
}
