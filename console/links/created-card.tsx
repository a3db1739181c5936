import { Check, Copy, QrCode, Share2, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useAccount } from "#console/settings/use-account.ts";
import { Button, buttonClasses } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { useCopy } from "#console/ui/copy-button.tsx";
import { DestinationText } from "#console/ui/destination-text.tsx";
import { formatAddress } from "#console/ui/format.ts";
import { Skeleton } from "#console/ui/panel.tsx";
import type { Link } from "#contract/link-record.ts";
import { createdTexts as texts } from "#texts/link-created.ts";
import { uiTexts } from "#texts/ui.ts";
import { useQrImage } from "./qr-image.ts";
import { plainStart, startOptions } from "./qr-options.ts";

interface CreatedCardProps {
  readonly link: Link;
  readonly onQr: () => void;
  readonly onClose: () => void;
}

/** What people do with a link they have just created. It waits in the corner and gets in nobody's way. */
export function CreatedCard({ link, onQr, onClose }: CreatedCardProps) {
  const [copied, copy] = useCopy(link.short_url);
  const { data: account } = useAccount();
  const { url } = useQrImage(link.id, account ? startOptions(account) : plainStart);
  const copyButton = useRef<HTMLButtonElement>(null);
  // Enter creates the link, and once more copies it.
  useEffect(() => copyButton.current?.focus({ preventScroll: true }), []);
  const CopyIcon = copied ? Check : Copy;
  return (
    <section
      aria-label={texts.label}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
      className="above-dock fixed right-4 z-40 rounded-2xl max-sm:left-4 sm:w-104 border border-line bg-card p-4 shadow-float transition-[opacity,translate] duration-150 starting:translate-y-3 starting:opacity-0"
    >
      <div className="flex gap-4">
        <button
          type="button"
          aria-label={texts.customize}
          title={texts.customize}
          onClick={onQr}
          className="flex size-24 shrink-0 items-center justify-center rounded-xl border border-line bg-white p-1.5 hover:border-accent"
        >
          {url ? <img src={url} alt="" className="size-full" /> : <Skeleton className="size-full opacity-20" />}
        </button>
        <div className="min-w-0 grow">
          <div className="flex items-start justify-between gap-2">
            <p className="text-sm font-medium text-good">{texts.ready}</p>
            <Button look="quiet" size="icon" aria-label={uiTexts.close} onClick={onClose} className="-mt-2 -mr-2">
              <X className="size-4" aria-hidden />
            </Button>
          </div>
          <p className="line-clamp-2 leading-snug font-semibold break-all">{formatAddress(link.short_url)}</p>
          <p className="mt-1 flex min-w-0 items-center gap-1 text-sm text-faint">
            <DestinationText url={link.destination_url} />
          </p>
        </div>
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          ref={copyButton}
          look="primary"
          className="grow max-sm:basis-full"
          aria-label={copied ? texts.copiedUrl(link.short_url) : texts.copy}
          onClick={copy}
        >
          <CopyIcon className="size-4" aria-hidden />
          {copied ? uiTexts.copied : texts.copy}
        </Button>
        <Button onClick={onQr} className="max-sm:grow">
          <QrCode className="size-4" aria-hidden />
          {texts.qr}
        </Button>
        <ShareButton link={link} />
      </div>
    </section>
  );
}

/** The browser's own choice of people and apps, or a mail where it has none. */
function ShareButton({ link: { short_url, title } }: { readonly link: Link }) {
  const face = (
    <>
      <Share2 className="size-4" aria-hidden />
      {texts.share}
    </>
  );
  if (typeof navigator.share === "function") {
    // Someone who closes it again has shared nothing, which is no error.
    const share = () => navigator.share({ url: short_url, ...(title !== null && { title }) }).catch(() => {});
    return (
      <Button onClick={() => void share()} className="max-sm:grow">
        {face}
      </Button>
    );
  }
  const mail = `mailto:?subject=${encodeURIComponent(title ?? formatAddress(short_url))}&body=${encodeURIComponent(short_url)}`;
  return (
    <a href={mail} className={classes(buttonClasses(), "max-sm:grow")}>
      {face}
    </a>
  );
}
