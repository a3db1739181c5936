import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { CallError } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { useAccount } from "#console/settings/use-account.ts";
import { Button } from "#console/ui/button.tsx";
import { useDebounced } from "#console/ui/debounce.ts";
import { Dialog } from "#console/ui/dialog.tsx";
import { Failure } from "#console/ui/failure.tsx";
import { formatAddress } from "#console/ui/format.ts";
import { Skeleton } from "#console/ui/panel.tsx";
import { saveFile } from "#console/ui/save-file.ts";
import { toastError } from "#console/ui/toast.tsx";
import type { Account } from "#contract/console/account.ts";
import { setQrDesign } from "#contract/console/qr-design.ts";
import type { QrDesign } from "#contract/qr.ts";
import { qrTexts as texts } from "#texts/qr.ts";
import { uiTexts } from "#texts/ui.ts";
import { useQrImage } from "./qr-image.ts";
import { designOf, isSameDesign, plainDesign, type QrOptions, startOptions } from "./qr-options.ts";
import { QrOptionsForm } from "./qr-options-form.tsx";
import { judgeQr } from "./qr-verdict.ts";
import { QrVerdictNote } from "./qr-verdict-note.tsx";
import { useLink } from "./use-link.ts";

interface QrDialogProps {
  readonly linkId: string;
  readonly onClose: () => void;
}

/** The code of a link as it will be printed, in the colours and shapes that one likes. */
export function QrDialog({ linkId, onClose }: QrDialogProps) {
  const { data: account, error, refetch } = useAccount();
  return (
    <Dialog title={texts.title} open onClose={onClose} size="wide">
      {account ? (
        <QrDesigner linkId={linkId} account={account} />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label={uiTexts.loading}>
          <Skeleton className="h-80" />
        </div>
      )}
    </Dialog>
  );
}

const SETTLE_MS = 150;

function QrDesigner({ linkId, account }: { readonly linkId: string; readonly account: Account }) {
  const { call, may } = useWorkspace();
  const { data: link } = useLink(linkId);
  const [options, setOptions] = useState<QrOptions>(() => startOptions(account));
  const [isColorWrong, setColorWrong] = useState(false);
  const [isBackgroundWrong, setBackgroundWrong] = useState(false);
  const isWrong = isColorWrong || isBackgroundWrong;
  const settled = useDebounced(options, SETTLE_MS);
  const { url, shown, error, fetchImage } = useQrImage(linkId, settled);

  const remembering = useChange((body: QrDesign) => call(setQrDesign, { body }), { refreshes: ["account"] });
  const download = useMutation({
    mutationFn: async (format: "png" | "svg") =>
      saveFile(await fetchImage(options, format), `${link?.slug ?? "qr"}.${format}`),
    onSuccess() {
      const design = designOf(options);
      if (may("member") && !isSameDesign(design, account.qr_design ?? plainDesign)) remembering.mutate(design);
    },
    onError: toastError,
  });

  const problem = error instanceof CallError ? (error.fieldErrors[0]?.message ?? error.message) : error?.message;
  return (
    <div className="grid gap-6 sm:grid-cols-[15rem_1fr]">
      <div>
        <div className="flex aspect-square items-center justify-center rounded-xl border border-line bg-white p-3">
          {url ? (
            <img src={url} alt={link ? texts.alt(link.short_url) : texts.altUnknown} className="size-full" />
          ) : (
            // On white in both themes, as the code is.
            !problem && (
              <div className="size-full opacity-20">
                <Skeleton className="size-full" />
              </div>
            )
          )}
        </div>
        <p className="mt-2 truncate text-center text-sm text-soft">{link && formatAddress(link.short_url)}</p>
        {problem && (
          <p role="alert" className="mt-3 rounded-xl bg-bad-soft px-3 py-2.5 text-sm text-bad">
            {problem}
          </p>
        )}
        {shown && !isWrong && <QrVerdictNote verdict={judgeQr(shown.options, shown.geometry)} />}
      </div>
      <div className="grid content-start gap-4">
        <QrOptionsForm
          options={options}
          hasLogo={account.has_logo}
          onChange={(change) => setOptions((before) => ({ ...before, ...change }))}
          onWrong={{ color: setColorWrong, background: setBackgroundWrong }}
        />
        <div className="flex flex-wrap items-center gap-2">
          {(["png", "svg"] as const).map((format) => (
            <Button
              key={format}
              look={format === "png" ? "primary" : "plain"}
              onClick={() => download.mutate(format)}
              busy={download.isPending && download.variables === format}
              disabled={problem !== undefined || isWrong || download.isPending}
            >
              <Download className="size-4" aria-hidden />
              {format.toUpperCase()}
            </Button>
          ))}
          {may("member") && <p className="basis-full text-sm text-faint">{texts.remembered}</p>}
        </div>
      </div>
    </div>
  );
}
