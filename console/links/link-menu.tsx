import {
  Archive,
  ArchiveRestore,
  ChartNoAxesColumn,
  CopyPlus,
  ExternalLink,
  History,
  Pause,
  Pencil,
  Play,
  QrCode,
  RotateCcw,
  Trash2,
} from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { Button } from "#console/ui/button.tsx";
import { Menu, MenuItem, MenuLine } from "#console/ui/menu.tsx";
import type { Link } from "#contract/link-record.ts";
import { linkTexts as texts } from "#texts/links.ts";
import { type LinkChanges, type LinkMove, movesOf } from "./link-changes.ts";
import { RowIcon } from "./row-icon.tsx";

const EraseDialog = lazyPart(() => import("./erase-dialog.tsx"), "EraseDialog");

export const moveIcons: Readonly<Record<LinkMove, typeof Pause>> = {
  pause: Pause,
  resume: Play,
  archive: Archive,
  unarchive: ArchiveRestore,
  restore: RotateCcw,
  delete: Trash2,
};

interface LinkMenuProps {
  readonly link: Link;
  readonly mayChange: boolean;
  readonly changes: LinkChanges;
  readonly onEdit: () => void;
  /** Left out where links aren't created. */
  readonly onDuplicate?: () => void;
  readonly onQr: () => void;
  readonly onHistory: () => void;
  /** Left out where the report is on screen. */
  readonly onReport?: () => void;
}

/** Everything that can be done with one link. */
export function LinkMenu(props: LinkMenuProps) {
  const { link, mayChange, changes, onEdit, onDuplicate, onQr, onHistory, onReport } = props;
  const [isErasing, setErasing] = useState(false);
  const isDeleted = link.state === "deleted";
  return (
    <>
      <Menu
        label={texts.menu.label(link.slug)}
        trigger={
          <Button look="quiet" size="icon" aria-label={texts.menu.label(link.slug)}>
            <RowIcon name="actions" className="size-5 stroke-4" />
          </Button>
        }
      >
        {mayChange && !isDeleted && (
          <MenuItem icon={<Pencil aria-hidden />} onSelect={onEdit}>
            {texts.menu.edit}
          </MenuItem>
        )}
        {mayChange && onDuplicate && (
          <MenuItem icon={<CopyPlus aria-hidden />} onSelect={onDuplicate}>
            {texts.menu.duplicate}
          </MenuItem>
        )}
        {onReport && (
          <MenuItem icon={<ChartNoAxesColumn aria-hidden />} onSelect={onReport}>
            {texts.menu.report}
          </MenuItem>
        )}
        {!isDeleted && (
          <MenuItem icon={<QrCode aria-hidden />} onSelect={onQr}>
            {texts.menu.qr}
          </MenuItem>
        )}
        <MenuItem icon={<History aria-hidden />} onSelect={onHistory}>
          {texts.menu.history}
        </MenuItem>
        {!isDeleted && (
          <MenuItem
            icon={<ExternalLink aria-hidden />}
            onSelect={() => open(`${link.short_url}+`, "_blank", "noopener")}
          >
            {texts.menu.preview}
          </MenuItem>
        )}
        {mayChange && (
          <>
            <MenuLine />
            {movesOf(link).map((move) => {
              const Icon = moveIcons[move];
              return (
                <MenuItem
                  key={move}
                  danger={move === "delete"}
                  icon={<Icon aria-hidden />}
                  hint={move === "pause" ? texts.pauseHint : undefined}
                  onSelect={() => changes.act(link, move)}
                >
                  {texts.moves[move].label}
                </MenuItem>
              );
            })}
            {isDeleted && (
              <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => setErasing(true)}>
                {texts.menu.erase}
              </MenuItem>
            )}
          </>
        )}
      </Menu>
      {isErasing && (
        <Suspense>
          <EraseDialog
            what={`/${link.slug}`}
            count={1}
            onConfirm={() => changes.erase(link)}
            onClose={() => setErasing(false)}
          />
        </Suspense>
      )}
    </>
  );
}
