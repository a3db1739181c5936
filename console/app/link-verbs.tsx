import type { NavigateOptions } from "@tanstack/react-router";
import { ChartNoAxesColumn, Copy, QrCode } from "lucide-react";
import type { ReactNode } from "react";
import { copyText } from "#console/ui/copy.ts";
import { formatAddress } from "#console/ui/format.ts";
import { toast } from "#console/ui/toast.tsx";
import type { Link } from "#contract/link-record.ts";
import { paletteTexts as texts } from "#texts/palette.ts";

/** Something that is done with a link, which is chosen next. */
export interface LinkVerb {
  readonly id: string;
  readonly label: string;
  readonly keywords: string;
  readonly icon: ReactNode;
  readonly run: (link: Link, account: string, navigate: (options: NavigateOptions) => void) => void;
}

export const linkVerbs: readonly LinkVerb[] = [
  {
    id: "qr",
    ...texts.verbs.qr,
    icon: <QrCode aria-hidden />,
    run: ({ id }, account, navigate) =>
      navigate({ to: "/a/$account/links", params: { account }, search: { qr: id } } as NavigateOptions),
  },
  {
    id: "report",
    ...texts.verbs.report,
    icon: <ChartNoAxesColumn aria-hidden />,
    run: ({ id }, account, navigate) =>
      navigate({ to: "/a/$account/links/$link", params: { account, link: id } } as NavigateOptions),
  },
  {
    id: "copy",
    ...texts.verbs.copy,
    icon: <Copy aria-hidden />,
    run: ({ short_url }) =>
      void copyText(short_url).then((isCopied) => isCopied && toast(texts.copied(formatAddress(short_url)))),
  },
];
