import { Link } from "@tanstack/react-router";
import { Archive, Link2, Plus, Trash2 } from "lucide-react";
import { useWorkspace } from "#console/api/session.tsx";
import { Button, buttonClasses } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { Key } from "#console/ui/keys.tsx";
import { linkTexts as texts } from "#texts/links.ts";
import { countText } from "./count-text.ts";
import { useCount } from "./use-link-count.ts";

const ROWS = [
  ["w-40", "w-64"],
  ["w-32", "w-72"],
  ["w-44", "w-56"],
] as const;

const elsewhere = { archived: Archive, deleted: Trash2 } as const;
type Elsewhere = keyof typeof elsewhere;

interface NoLinksProps {
  readonly onCreate?: () => void;
  readonly onShow: (elsewhere: Elsewhere) => void;
}

/** Before the first link: the list as it will be, and the one thing to do. Without a right to create, just a word. */
export const NoLinks = ({ onCreate, onShow }: NoLinksProps) => (
  <div className="relative">
    <div className="mask-b-to-90%" data-rows-to-come aria-hidden>
      {ROWS.map(([slug, destination]) => (
        <div key={slug} className="flex h-19 items-center gap-4 border-b border-line px-4">
          <div className="size-8 shrink-0 rounded-lg bg-sunken" />
          <div className="min-w-0 grow">
            <div className={`mb-2.5 h-3 max-w-full rounded-full bg-sunken ${slug}`} />
            <div className={`h-2.5 max-w-full rounded-full bg-sunken ${destination}`} />
          </div>
          <div className="h-6 w-14 rounded-full bg-sunken max-sm:hidden" />
        </div>
      ))}
    </div>
    <div className="-mt-16 flex flex-col items-center px-6 pb-16 text-center">
      <div className="mb-4 flex size-12 items-center justify-center rounded-2xl bg-accent-fill text-on-accent shadow-raised">
        <Link2 className="size-6" aria-hidden />
      </div>
      <h2 className="text-lg font-semibold">{texts.none.title}</h2>
      <p className="mt-1.5 max-w-md text-balance text-soft">{onCreate ? texts.none.paste : texts.none.others}</p>
      {onCreate && (
        <Button look="primary" className="mt-6" onClick={onCreate}>
          <Plus className="-ml-1 size-4" aria-hidden />
          {texts.none.create}
          <span
            className="-mr-1.5 opacity-80 max-lg:hidden [&>kbd]:border-transparent [&>kbd]:bg-white/20 [&>kbd]:text-current"
            aria-hidden
          >
            <Key>C</Key>
          </span>
        </Button>
      )}
      <ImportLink />
      <div className="mt-4 flex flex-wrap justify-center gap-2 empty:hidden">
        <ElsewhereButton show="archived" onShow={onShow} />
        <ElsewhereButton show="deleted" onShow={onShow} />
      </div>
    </div>
  </div>
);

/** For those who have links elsewhere already. */
function ImportLink() {
  const { account, may } = useWorkspace();
  if (!may("admin")) return null;
  return (
    <Link
      to="/a/$account/settings/import"
      params={{ account: account.id }}
      className={classes(buttonClasses({ look: "quiet", size: "small" }), "mt-2")}
    >
      {texts.none.bring}
    </Link>
  );
}

/** The way to links that this list leaves out, if there are any. */
function ElsewhereButton({ show, onShow }: { readonly show: Elsewhere } & Pick<NoLinksProps, "onShow">) {
  const { count } = useCount({ show }, true);
  const Icon = elsewhere[show];
  if (!count?.count) return null;
  return (
    <Button look="quiet" size="small" onClick={() => onShow(show)}>
      <Icon className="size-4" aria-hidden />
      {texts.none.elsewhere[show](countText(count, undefined))}
    </Button>
  );
}
