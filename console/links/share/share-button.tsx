import { Share2 } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import type { Link } from "#contract/link-record.ts";
import { reportTexts } from "#texts/reports.ts";

const ShareDialog = lazyPart(() => import("./share-dialog.tsx"), "ShareDialog");

/** For those who may change the link; one in the trash can't be shared. */
export function ShareButton({ link }: { readonly link: Link }) {
  const { may } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  if (!may("member") || link.state === "deleted") return null;
  return (
    <>
      <Button
        look="quiet"
        size="icon"
        aria-label={reportTexts.share}
        title={reportTexts.share}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Share2 className="size-4" aria-hidden />
      </Button>
      {isOpen && (
        <Suspense>
          <ShareDialog link={link} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
