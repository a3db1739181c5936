import { useEffect, useRef, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { uploadFile } from "./upload-file.ts";

export interface Uploaded {
  readonly name: string;
  /** `null` until all of it is there. */
  readonly id: string | null;
  readonly share: number;
  readonly error: unknown;
}

/** A file that is sent as soon as it is chosen. Another one, or leaving the page, ends that. */
export function useUpload(): { readonly upload: Uploaded | null; readonly choose: (file: File) => void } {
  const { call } = useWorkspace();
  const [upload, setUpload] = useState<Uploaded | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  function choose(file: File): void {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const tell = (part: Partial<Uploaded>) => {
      if (!signal.aborted)
        setUpload((before) => ({ name: file.name, id: null, share: 0, error: null, ...before, ...part }));
    };
    setUpload({ name: file.name, id: null, share: 0, error: null });
    uploadFile({ file, call, signal, onProgress: (share) => tell({ share }) }).then(
      (id) => tell({ id, share: 1 }),
      (error: unknown) => tell({ error }),
    );
  }

  return { upload, choose };
}
