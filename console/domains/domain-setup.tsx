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
import { DnsRecord } from "./dns-record.tsx";
import { useDomainChange } from "./use-domain-change.ts";

/** From a name to short links on it: the records, the check, and what the proxy has to do. */
export function DomainSetup({ domain }: { readonly domain: Domain }) {
  const { state } = useWorkspace();
  const isVerified = domain.status === "verified";
  // The configured domain may have a port, which DNS knows nothing of.
  const target = hostNameOf(state.short_domain);
  return (
    <Section
      title={isVerified ? "DNS and HTTPS" : "Set up the domain"}
      note={
        isVerified
          ? "What makes the domain work. Keep all of it in place."
          : "Add these records where you manage the DNS of the domain, then check them."
      }
    >
      <ol className="grid grid-cols-1 gap-7">
        <Step number={1} title="Prove that it’s yours">
          <p>
            {domain.verified_by === "operator"
              ? "The operator of this server vouched for the name, so this TXT record is optional. With it, no other account can take over the name."
              : `Add this TXT record${isVerified ? " if it’s missing" : ""}, and keep it: Kurz looks for it every day, and without it another account could take over the name.`}
          </p>
          <DnsRecord {...domain.verification} />
          <CheckRecord domain={domain} />
        </Step>
        <Step number={2} title="Point it at this server">
          <p>
            Add a CNAME record. Where your provider doesn’t allow one, as for a name without a subdomain, use A and AAAA
            records with this server’s IP addresses.
          </p>
          <DnsRecord type="CNAME" name={domain.name} value={target} />
        </Step>
        <Step number={3} title="Get a certificate">
          <p>
            HTTPS is handled by the proxy in front of Kurz. It needs a certificate for {domain.name}; a proxy with
            on-demand TLS gets one on the first visit. If short links don’t open over HTTPS, ask the operator of this
            server.
          </p>
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
      if (status === "verified" && last_problem === null) toast(`${display_name} is verified.`);
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
          Check now
        </Button>
      )}
      <div role="status" className="min-w-0 flex-1 basis-60">
        {check.isPending ? "Looking up the record…" : <CheckResult domain={domain} />}
      </div>
    </div>
  );
}

function CheckResult({ domain }: { readonly domain: Domain }) {
  const { name, status, verified_by, last_checked_at, last_problem } = domain;
  const checked = last_checked_at !== null && <When verb="Checked" instant={last_checked_at} />;
  if (verified_by === "operator") {
    return (
      <>
        <span className="text-good">Verified by the operator.</span> {last_problem} {checked}
      </>
    );
  }
  if (status === "lost") {
    // Why it was lost is said at the top of the page.
    return (
      <>
        <span className="text-bad">{problemSinceLoss(name, last_problem ?? "")}</span> {checked}
      </>
    );
  }
  if (last_problem !== null) {
    return (
      <>
        <span className="text-warn">{last_problem}</span> {checked}
      </>
    );
  }
  if (status !== "verified") return "Not checked yet. New records can take a few minutes to show.";
  return (
    <>
      <span className="text-good">The record is there.</span> {checked}
    </>
  );
}
