import { useMutation } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { call } from "#console/api/call.ts";
import { Gate } from "#console/sign-in/gate.tsx";
import { Button } from "#console/ui/button.tsx";
import { FormError } from "#console/ui/form-error.tsx";
import { type ConsoleState, signIn } from "#contract/console/session.ts";
import { demoTexts as texts } from "#texts/demo.ts";
import { DemoCredentials } from "./demo-credentials.tsx";
import { formatResetTime } from "./demo-reset.ts";
import { beginDemoVisit, wasDemoReset } from "./demo-visit.ts";

interface DemoGateProps {
  readonly demo: NonNullable<ConsoleState["demo"]>;
  readonly onEnter: () => Promise<void>;
}

/** In place of the sign-in form: everyone is the same fictional person, so nobody has to type who they are. */
export function DemoGate({ demo, onEnter }: DemoGateProps) {
  const attempt = useMutation({
    mutationFn: () => call(signIn, { body: { email: demo.email, password: demo.password } }, null),
    onSuccess: () => {
      beginDemoVisit();
      return onEnter();
    },
  });
  const [isBack] = useState(wasDemoReset);
  return (
    <Gate title={isBack ? texts.backTitle : texts.enterTitle}>
      <p className="mb-5 text-center text-balance text-soft">
        {isBack ? texts.backNote : texts.enterNote(formatResetTime(demo))}
      </p>
      <Button
        look="primary"
        className="w-full"
        autoFocus
        busy={attempt.isPending || attempt.isSuccess}
        onClick={() => attempt.mutate()}
      >
        {isBack ? texts.continue : texts.enter}
        {!attempt.isPending && !attempt.isSuccess && <ArrowRight className="-mr-1 size-4" aria-hidden />}
      </Button>
      <FormError error={attempt.error} />
      <details className="group mt-5 text-sm">
        <summary className="cursor-pointer list-none text-center text-soft hover:text-text [&::-webkit-details-marker]:hidden">
          {texts.credentials}
        </summary>
        <DemoCredentials demo={demo} />
      </details>
    </Gate>
  );
}
