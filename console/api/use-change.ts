import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toastError } from "#console/ui/toast.tsx";
import { useWorkspace } from "./session.tsx";
import { isSudoRefusal } from "./sudo.ts";

interface ChangeOptions<O> {
  /** First parts of the keys of what is no longer up to date afterwards. */
  readonly refreshes: readonly string[];
  readonly onDone?: (output: O) => void;
  /** A form shows its own errors; anything else has them told at the edge of the page. */
  readonly inForm?: boolean;
}

/** Something is changed in the account on screen, and what shows it is loaded again. */
export function useChange<I = void, O = unknown>(
  work: (input: I) => Promise<O>,
  { refreshes, onDone, inForm = false }: ChangeOptions<O>,
) {
  const { account } = useWorkspace();
  const client = useQueryClient();
  return useMutation({
    mutationFn: work,
    async onSuccess(output) {
      onDone?.(output);
      await Promise.all(refreshes.map((name) => client.invalidateQueries({ queryKey: [name, account.id] })));
    },
    onError(error) {
      if (!inForm && !isSudoRefusal(error)) toastError(error);
    },
  });
}
