import { classes } from "#console/ui/classes.ts";
import { useCopy } from "#console/ui/copy-button.tsx";
import type { Link } from "#contract/link-record.ts";
import { linkTexts as texts } from "#texts/links.ts";
import { uiTexts } from "#texts/ui.ts";
import { RowIcon } from "./row-icon.tsx";

/** The address to share, and beside it a button that copies it. */
export const ShortLink = ({ link, isCompact }: { readonly link: Link; readonly isCompact: boolean }) => (
  <>
    {/* Where both don't fit in one line, the domain is cut first, but some of it always stays. */}
    <span data-short-link className="flex min-w-0 leading-6 font-semibold">
      <span className={classes("min-w-0 truncate font-normal text-soft", isCompact && "sm:hidden")}>
        {new URL(link.short_url).host}
      </span>
      <span
        className={classes("max-w-[calc(100cqw-5.75rem)] shrink-0 truncate", isCompact && "sm:max-w-none sm:shrink")}
      >
        /{link.slug}
      </span>
    </span>
    <CopyShortLink url={link.short_url} />
  </>
);

function CopyShortLink({ url }: { readonly url: string }) {
  const [copied, copy] = useCopy(url);
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={copied ? texts.copiedUrl(url) : texts.copy(url)}
      title={copied ? uiTexts.copied : texts.copyShort}
      className={classes(
        "relative z-10 flex size-7 shrink-0 items-center justify-center rounded-md border border-line bg-card hover:border-line-strong hover:text-accent",
        copied ? "text-good" : "text-faint",
      )}
    >
      <RowIcon name={copied ? "copied" : "copy"} className="size-3.5" />
    </button>
  );
}
