import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { send } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { useObjectUrl } from "#console/ui/object-url.ts";
import { builtInLogos, getLinkQr, type QrQuery } from "#contract/qr.ts";

export const qrStyles = ["square", "rounded", "dots"] as const;
export const qrSizes = [256, 512, 1024, 2048] as const;
export const qrLogos = ["none", "account", ...builtInLogos] as const;

export type QrOptions = Readonly<Pick<QrQuery, "style" | "color" | "background" | "size" | "mark" | "logo">>;

export const startOptions: QrOptions = {
  style: "square",
  color: "000000",
  background: "ffffff",
  size: 1024,
  mark: false,
  logo: "none",
};

/** The picture of a link's code, drawn by the server, so that what is shown is what is printed. */
export function useQrImage(linkId: string, options: QrOptions) {
  const { account } = useWorkspace();
  const fetchImage = useCallback(
    async (wanted: QrOptions, format: "png" | "svg", signal?: AbortSignal): Promise<Blob> => {
      const input = { params: { id: linkId }, query: { ...wanted, format }, ...(signal && { signal }) };
      return (await send(getLinkQr, input, account.id)).blob();
    },
    [linkId, account.id],
  );
  const { data, error } = useQuery({
    queryKey: ["qr", account.id, linkId, options],
    queryFn: ({ signal }) => fetchImage(options, "svg", signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useObjectUrl(data);
  return { url: error ? null : url, error, fetchImage };
}
