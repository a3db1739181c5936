import { RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { Section } from "#console/ui/section.tsx";
import { toast } from "#console/ui/toast.tsx";
import { When } from "#console/ui/when.tsx";
import type { Domain } from "#contract/domain-record.ts";
import { verifyDomain } from "#contract/domains.ts";
import { hostNameOf } from "#shared/host-name.ts";
import { problemSinceLoss } from "#shared/lost-domain.ts";
import { domainTexts } from "#texts/domains.ts";
import { DnsRecord } from "./dns-record.tsx";
import { useDomainChange } from "./use-domain-change.ts";

const texts = domainTexts.setup;

/** From a name to short links on it: the records, the check, and what the proxy has to do. */
export function DomainSetup({ domain }: { readonly domain: Domain }) {
  const { state } = useWorkspace();
  const isVerified = domain.status === "verified";
  // The configured domain may have a port, which DNS knows nothing of.
  const target = hostNameOf(state.short_domain);
  return (
    <Section title={isVerified ? texts.doneTitle : texts.title} note={isVerified ? texts.doneNote : texts.note}>
      <ol className="grid grid-cols-1 gap-7">
        <Step number={1} title={texts.prove}>
          <p>
            {domain.verified_by === "operator" ? texts.vouchedNote : isVerified ? texts.provedNote : texts.proveNote}
          </p>
          <DnsRecord {...domain.verification} />
          <CheckRecord domain={domain} />
        </Step>
        <Step number={2} title={texts.point}>
          <p>{texts.pointNote}</p>
          <DnsRecord type="CNAME" name={domain.name} value={target} />
        </Step>
        <Step number={3} title={texts.certificate}>
          <p>{texts.certificateNote(domain.name)}</p>
        </Step>
      </ol>
    </Section>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
}

const Step = ({ number, title, children }: StepProps) => (
  <li className="flex gap-4">
    <span
      aria-hidden
      className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent"
    >
      {number}
    </span>
    <div className="min-w-0 max-w-2xl grow text-sm text-soft">
      <h3 className="mb-1 pt-0.5 text-base font-medium text-text">{title}</h3>
      {children}
    </div>
  </li>
);

function CheckRecord({ domain }: { readonly domain: Domain }) {
  const { call, may } = useWorkspace();
  const check = useDomainChange(() => call(verifyDomain, { params: { id: domain.id } }), {
    onDone: ({ status, last_problem, display_name }) => {
      if (status === "verified" && last_problem === null) toast(texts.isVerified(display_name));
    },
  });
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      {may("admin") && (
        <Button
          look={domain.status === "verified" ? "plain" : "primary"}
          size="small"
          busy={check.isPending}
          onClick={() => check.mutate()}
        >
          {!check.isPending && <RefreshCw className="size-4" aria-hidden />}
          {texts.checkNow}
        </Button>
      )}
      <div role="status" className="min-w-0 flex-1 basis-60">
        {check.isPending ? texts.checking : <CheckResult domain={domain} />}
      </div>
    </div>
  );
}

function CheckResult({ domain }: { readonly domain: Domain }) {
  const { name, status, verified_by, last_checked_at, last_problem } = domain;
  const checked = last_checked_at !== null && <When said={texts.checkedAt} instant={last_checked_at} />;
  if (verified_by === "operator") {
    return (
      <>
        <span className="text-good">{texts.byOperator}</span> {last_problem !== null && texts.problem(last_problem)}{" "}
        {checked}
      </>
    );
  }
  if (status === "lost") {
    // Why it was lost is said at the top of the page.
    return (
      <>
        <span className="text-bad">{texts.problem(problemSinceLoss(name, last_problem ?? ""))}</span> {checked}
      </>
    );
  }
  if (last_problem !== null) {
    return (
      <>
        <span className="text-warn">{texts.problem(last_problem)}</span> {checked}
      </>
    );
  }
  if (status !== "verified") return texts.notChecked;
  return (
    <>
      <span className="text-good">{texts.found}</span> {checked}
    </>
  );
}
