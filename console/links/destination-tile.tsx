import { Suspense } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { classes } from "#console/ui/classes.ts";
import { formatAddress } from "#console/ui/format.ts";
import { tintOf } from "#console/ui/tint.ts";
import type { Link } from "#contract/link-record.ts";
import { showAddress } from "#shared/shown-host.ts";

const SiteIcon = lazyPart(() => import("./site-icon.tsx"), "SiteIcon");

/** A letter and colour by which the links to one site are recognised, until its icon is there. */
export function DestinationTile({ link, isSmall }: { readonly link: Link; readonly isSmall: boolean }) {
  const { page_lookups } = useWorkspace().state;
  const host = formatAddress(showAddress(link.destination_url).text).split(/[/?#:]/, 1)[0] ?? "";
  const [letter = ""] = host;
  return (
    <span
      aria-hidden
      style={tintOf(host)}
      className={classes(
        "tinted relative flex max-sm:hidden shrink-0 items-center justify-center font-semibold select-none",
        isSmall ? "size-7 rounded-md text-sm" : "size-9 rounded-lg",
      )}
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
