import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { send } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { useObjectUrl } from "#console/ui/object-url.ts";
import { getLinkQr } from "#contract/qr.ts";
import type { QrOptions } from "./qr-options.ts";
import { readQrGeometry } from "./qr-verdict.ts";

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
    queryFn: async ({ signal }) => {
      const image = await fetchImage(options, "svg", signal);
      return { image, options, geometry: readQrGeometry(await image.text(), options.size) };
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useObjectUrl(data?.image);
  return { url: error ? null : url, shown: error ? undefined : data, error, fetchImage };
}
