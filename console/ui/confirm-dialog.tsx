import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { uiTexts as texts } from "#texts/ui.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogFooter } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { FormError } from "./form-error.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** What is lost, and what is not. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Must be typed first, where nothing could be brought back. */
  readonly typed?: string;
  readonly look?: "danger" | "primary";
}

/** Asks once more before something that cannot be undone; closes when it is done. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, onConfirm, onClose, typed, look = "danger" } = props;
  const [text, setText] = useState("");
  const attempt = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  function submit(event: FormEvent): void {
    event.preventDefault();
    attempt.mutate();
  }
  return (
    <Dialog title={title} open onClose={onClose}>
      <form onSubmit={submit}>
        <div className="text-soft">{children}</div>
        {typed !== undefined && (
          <div className="mt-4">
            <TextField
              label={texts.typeToConfirm(typed)}
              autoComplete="off"
              data-first
              required
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
        )}
        <FormError error={attempt.error} />
        <DialogFooter>
          <Button onClick={onClose} data-first={typed === undefined || undefined}>
            {texts.cancel}
          </Button>
          <Button
            type="submit"
            look={look}
            busy={attempt.isPending}
            disabled={typed !== undefined && text.trim() !== typed.trim()}
          >
            {confirmLabel}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
