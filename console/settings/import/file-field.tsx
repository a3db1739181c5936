import { Upload } from "lucide-react";
import { type ChangeEvent, type ReactNode, useId } from "react";
import { buttonClasses } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { FormError } from "#console/ui/form-error.tsx";
import { importTexts as texts } from "#texts/imports.ts";
import type { Uploaded } from "./use-upload.ts";

interface FileFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly accept: string;
  readonly upload: Uploaded | null;
  readonly onChoose: (file: File) => void;
  /** Why this file can't be used. */
  readonly problem?: string | undefined;
}

/** Chooses a file, and shows how much of it has arrived. */
export function FileField({ label, hint, accept, upload, onChoose, problem }: FileFieldProps) {
  const id = useId();
  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const file = target.files?.[0];
    // The same file may be chosen again after it was changed.
    target.value = "";
    if (file) onChoose(file);
  }
  return (
    <div>
      <p id={`${id}-label`} className="mb-1.5 text-sm font-medium">
        {label}
      </p>
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        <input
          id={id}
          type="file"
          accept={accept}
          aria-describedby={`${id}-label`}
          className="peer sr-only"
          onChange={choose}
        />
        <label
          htmlFor={id}
          className={classes(
            buttonClasses(),
            "cursor-pointer outline-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2",
          )}
        >
          <Upload className="size-4" aria-hidden />
          {upload ? texts.chooseAnother : texts.chooseFile}
        </label>
        {upload && <span className="min-w-0 truncate text-sm">{upload.name}</span>}
      </div>
      {upload && !upload.id && !upload.error && (
        <progress aria-label={texts.uploading} value={upload.share} max={1} className="usage-bar mt-3 text-accent" />
      )}
      {hint && <p className="mt-1.5 text-sm text-soft">{hint}</p>}
      {problem !== undefined && upload?.id && (
        <p role="alert" className="mt-3 rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
          {problem}
        </p>
      )}
      <FormError error={upload?.error} />
    </div>
  );
}
