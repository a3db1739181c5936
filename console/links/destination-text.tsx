import { TriangleAlert } from "lucide-react";
import { formatAddress } from "#console/ui/format.ts";
import { showAddress } from "#shared/shown-host.ts";

export const LOOK_ALIKE =
  "The site’s name contains letters that look like others, so it’s shown in its technical form (xn--…). It may imitate another site.";

/** Where a link leads. A host that may imitate another stays in punycode and is marked. */
export function DestinationText({ url }: { readonly url: string }) {
  const { text, isDeceptive } = showAddress(url);
  if (!isDeceptive) return <span className="truncate">{formatAddress(text)}</span>;
  return (
    <>
      <TriangleAlert className="size-3.5 shrink-0 text-warn" aria-hidden />
      <span className="truncate" title={LOOK_ALIKE}>
        {formatAddress(text)}
      </span>
      <span className="sr-only">{LOOK_ALIKE}</span>
    </>
  );
}
