import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { Dialog, DialogFooter } from "#console/ui/dialog.tsx";
import { TextField } from "#console/ui/field.tsx";
import { Menu, MenuItem, MenuLine } from "#console/ui/menu.tsx";
import { Popover } from "#console/ui/popover.tsx";
import { toast } from "#console/ui/toast.tsx";
import { Part, Row } from "./part.tsx";

export function Overlays() {
  const [shown, setShown] = useState<"dialog" | "confirm" | null>(null);
  const close = () => setShown(null);
  return (
    <Part title="Overlays">
      <Row title="What opens">
        <Menu trigger={<Button>Menu</Button>} align="start">
          <MenuItem icon={<Pencil aria-hidden />} onSelect={() => {}}>
            Edit
          </MenuItem>
          <MenuItem chosen onSelect={() => {}}>
            Chosen
          </MenuItem>
          <MenuItem disabled onSelect={() => {}}>
            Disabled
          </MenuItem>
          <MenuLine />
          <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => {}}>
            Delete
          </MenuItem>
        </Menu>
        <Popover trigger={<Button>Popover</Button>} label="A popover" align="start" className="w-64 p-4">
          <p>Anything can be in here.</p>
        </Popover>
        <Button onClick={() => setShown("dialog")}>Dialog</Button>
        <Button onClick={() => setShown("confirm")}>Confirmation</Button>
        <Button onClick={() => toast("Saved.")}>Notice</Button>
        <Button onClick={() => toast("Deleted 3 links.", { undo: () => {} })}>Notice with undo</Button>
        <Button onClick={() => toast("That did not work.", { tone: "bad" })}>Bad news</Button>
      </Row>
      <Dialog title="A dialog" open={shown === "dialog"} onClose={close}>
        <TextField label="Name" data-first />
        <DialogFooter>
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" onClick={close}>
            Save
          </Button>
        </DialogFooter>
      </Dialog>
      {shown === "confirm" && (
        <ConfirmDialog
          title="Delete the account?"
          confirmLabel="Delete account"
          typed="Meadow"
          onConfirm={async () => {}}
          onClose={close}
        >
          Its links stop working at once.
        </ConfirmDialog>
      )}
    </Part>
  );
}
