import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { CallError } from "#console/api/call.ts";
import { Button } from "#console/ui/button.tsx";
import { useDebounced } from "#console/ui/debounce.ts";
import { Dialog } from "#console/ui/dialog.tsx";
import { formatAddress } from "#console/ui/format.ts";
import { Skeleton } from "#console/ui/panel.tsx";
import { saveFile } from "#console/ui/save-file.ts";
import { toastError } from "#console/ui/toast.tsx";
import { type QrOptions, startOptions, useQrImage } from "./qr-image.ts";
import { QrOptionsForm } from "./qr-options-form.tsx";
import { useLink } from "./use-link.ts";

const SETTLE_MS = 150;

/** The code of a link as it will be printed, in the colours and shapes that one likes. */
export function QrDialog({ linkId, onClose }: { readonly linkId: string; readonly onClose: () => void }) {
  const { data: link } = useLink(linkId);
  const [options, setOptions] = useState<QrOptions>(startOptions);
  const settled = useDebounced(options, SETTLE_MS);
  const { url, error, fetchImage } = useQrImage(linkId, settled);

  const download = useMutation({
    mutationFn: async (format: "png" | "svg") =>
      saveFile(await fetchImage(options, format), `${link?.slug ?? "qr"}.${format}`),
    onError: toastError,
  });

  const problem = error instanceof CallError ? (error.fieldErrors[0]?.message ?? error.message) : error?.message;
  return (
    <Dialog title="QR code" open onClose={onClose} size="wide">
      <div className="grid gap-6 sm:grid-cols-[15rem_1fr]">
        <div>
          <div className="flex aspect-square items-center justify-center rounded-xl border border-line bg-white p-3">
            {url ? (
              <img src={url} alt={`QR code of ${link?.short_url ?? "the link"}`} className="size-full" />
            ) : (
              // On white in both themes, as the code is.
              !problem && (
                <div className="size-full opacity-20">
                  <Skeleton className="size-full" />
                </div>
              )
            )}
          </div>
          {problem ? (
            <p role="alert" className="mt-2 text-sm text-bad">
              {problem}
            </p>
          ) : (
            <p className="mt-2 truncate text-center text-sm text-soft">{link && formatAddress(link.short_url)}</p>
          )}
        </div>
        <div className="grid content-start gap-4">
          <QrOptionsForm options={options} onChange={(change) => setOptions((before) => ({ ...before, ...change }))} />
          <div className="flex flex-wrap gap-2">
            {(["png", "svg"] as const).map((format) => (
              <Button
                key={format}
                look={format === "png" ? "primary" : "plain"}
                onClick={() => download.mutate(format)}
                busy={download.isPending && download.variables === format}
                disabled={problem !== undefined || download.isPending}
              >
                <Download className="size-4" aria-hidden />
                {format.toUpperCase()}
              </Button>
            ))}
          </div>
        </div>
      </div>
    </Dialog>
  );
}
