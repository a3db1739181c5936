import {
  Archive,
  ArchiveRestore,
  ChartNoAxesColumn,
  CopyPlus,
  Ellipsis,
  ExternalLink,
  Pause,
  Pencil,
  Play,
  QrCode,
  Trash2,
} from "lucide-react";
import { Button } from "#console/ui/button.tsx";
import { Menu, MenuItem, MenuLine } from "#console/ui/menu.tsx";
import type { Link } from "#contract/link-record.ts";
import type { LinkAction } from "#contract/links.ts";
import { actionsOf, actionWords, type LinkChanges } from "./link-changes.ts";

export const actionIcons: Readonly<Record<LinkAction, typeof Pause>> = {
  pause: Pause,
  resume: Play,
  archive: Archive,
  unarchive: ArchiveRestore,
};

interface LinkMenuProps {
  readonly link: Link;
  readonly mayChange: boolean;
  readonly changes: Pick<LinkChanges, "act" | "remove">;
  readonly onEdit: () => void;
  /** Left out where links aren't created. */
  readonly onDuplicate?: () => void;
  readonly onQr: () => void;
  /** Left out where the report is on screen. */
  readonly onReport?: () => void;
}

/** Everything that can be done with one link. */
export const LinkMenu = ({ link, mayChange, changes, onEdit, onDuplicate, onQr, onReport }: LinkMenuProps) => (
  <Menu
    label={`Actions for ${link.slug}`}
    trigger={
      <Button look="quiet" size="icon" aria-label={`Actions for ${link.slug}`}>
        <Ellipsis className="size-5" aria-hidden />
      </Button>
    }
  >
    {mayChange && (
      <MenuItem icon={<Pencil aria-hidden />} onSelect={onEdit}>
        Edit
      </MenuItem>
    )}
    {mayChange && onDuplicate && (
      <MenuItem icon={<CopyPlus aria-hidden />} onSelect={onDuplicate}>
        Duplicate
      </MenuItem>
    )}
    {onReport && (
      <MenuItem icon={<ChartNoAxesColumn aria-hidden />} onSelect={onReport}>
        Report
      </MenuItem>
    )}
    <MenuItem icon={<QrCode aria-hidden />} onSelect={onQr}>
      QR code
    </MenuItem>
    <MenuItem icon={<ExternalLink aria-hidden />} onSelect={() => open(`${link.short_url}+`, "_blank", "noopener")}>
      Preview
    </MenuItem>
    {mayChange && (
      <>
        <MenuLine />
        {actionsOf(link).map((action) => {
          const Icon = actionIcons[action];
          return (
            <MenuItem key={action} icon={<Icon aria-hidden />} onSelect={() => changes.act(link, action)}>
              {actionWords[action].label}
            </MenuItem>
          );
        })}
        <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => changes.remove([link])}>
          Delete
        </MenuItem>
      </>
    )}
  </Menu>
);
