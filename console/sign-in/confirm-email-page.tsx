import { useMutation } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { call } from "#console/api/call.ts";
import { useRefreshState } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { FormError } from "#console/ui/form-error.tsx";
import { toast } from "#console/ui/toast.tsx";
import { confirmEmail } from "#contract/console/user.ts";
import { signInTexts as texts } from "#texts/sign-in.ts";
import { Gate } from "./gate.tsx";

/** With a button, since programs that check mails open every link in them. */
export function ConfirmEmailPage() {
  const { token } = useParams({ from: "/confirm-email/$token" });
  const navigate = useNavigate();
  const refresh = useRefreshState();
  const confirm = useMutation({
    mutationFn: () => call(confirmEmail, { body: { token } }, null),
    async onSuccess() {
      toast(texts.emailChanged);
      await refresh();
      await navigate({ to: "/", replace: true });
    },
  });
  return (
    <Gate title={texts.confirmEmailTitle}>
      <p className="mb-6 text-soft">{texts.confirmEmailNote}</p>
      <Button look="primary" className="w-full" busy={confirm.isPending} onClick={() => confirm.mutate()}>
        {texts.confirmEmail}
      </Button>
      <FormError error={confirm.error} />
    </Gate>
  );
}
