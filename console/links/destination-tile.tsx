import { formatAddress } from "#console/ui/format.ts";
import { tintOf } from "#console/ui/tint.ts";
import { showAddress } from "#shared/shown-host.ts";

/** A letter and colour by which the links to one site are recognised. */
export function DestinationTile({ url }: { readonly url: string }) {
  const host = formatAddress(showAddress(url).text).split(/[/?#:]/, 1)[0] ?? "";
  const [letter = ""] = host;
  return (
    <span
      aria-hidden
      style={tintOf(host)}
      className="tinted flex max-sm:hidden size-9 shrink-0 items-center justify-center rounded-lg font-semibold select-none"
    >
      {letter.toLocaleUpperCase()}
    </span>
  );
}
