import { TriangleAlert } from "lucide-react";
import { showAddress } from "#shared/shown-host.ts";
import { uiTexts as texts } from "#texts/ui.ts";
import { formatAddress } from "./format.ts";

/** Where a link leads. A host that may imitate another stays in punycode and is marked. */
export function DestinationText({ url }: { readonly url: string }) {
  const { text, isDeceptive } = showAddress(url);
  if (!isDeceptive) return <span className="truncate">{formatAddress(text)}</span>;
  return (
    <>
      <TriangleAlert className="size-3.5 shrink-0 text-warn" aria-hidden />
      <span className="truncate" title={texts.lookAlike}>
        {formatAddress(text)}
      </span>
      <span className="sr-only">{texts.lookAlike}</span>
    </>
  );
}
