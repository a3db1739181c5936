import { Suspense } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { formatAddress } from "#console/ui/format.ts";
import { tintOf } from "#console/ui/tint.ts";
import type { Link } from "#contract/link-record.ts";
import { showAddress } from "#shared/shown-host.ts";

const SiteIcon = lazyPart(() => import("./site-icon.tsx"), "SiteIcon");

/** A letter and colour by which the links to one site are recognised, until its icon is there. */
export function DestinationTile({ link }: { readonly link: Link }) {
  const { page_lookups } = useWorkspace().state;
  const host = formatAddress(showAddress(link.destination_url).text).split(/[/?#:]/, 1)[0] ?? "";
  const [letter = ""] = host;
  return (
    <span
      aria-hidden
      style={tintOf(host)}
      className="tinted relative flex max-sm:hidden size-9 shrink-0 items-center justify-center rounded-lg font-semibold select-none"
    >
      {letter.toLocaleUpperCase()}
      {page_lookups && (
        <Suspense>
          <SiteIcon link={link} />
        </Suspense>
      )}
    </span>
  );
}
