import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, useId } from "react";
import { send } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { Button, buttonClasses } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { FormError } from "#console/ui/form-error.tsx";
import { useObjectUrl } from "#console/ui/object-url.ts";
import { Section } from "#console/ui/section.tsx";
import { toast } from "#console/ui/toast.tsx";
import { getLogo, removeLogo, setLogo } from "#contract/console/logo.ts";
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX } from "#contract/limits.ts";
import { settingsTexts as texts } from "#texts/settings.ts";

/** What else shows the logo: whether there is one, the picture, and codes that were drawn with it. */
const refreshes = ["account", "logo", "qr"];

export function LogoSection({ hasLogo }: { readonly hasLogo: boolean }) {
  const { call } = useWorkspace();
  const picture = useLogo(hasLogo);
  const inputId = useId();
  const upload = useChange(async (file: File) => call(setLogo, { body: { png: await readAsBase64(file) } }), {
    refreshes,
    onDone: () => toast(texts.saved),
    inForm: true,
  });
  const remove = useChange(() => call(removeLogo), { refreshes });

  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const file = target.files?.[0];
    // The same file may be chosen again after it was changed.
    target.value = "";
    if (file) upload.mutate(file);
  }

  return (
    <Section title={texts.logo} note={texts.logoNote(LOGO_BYTES_MAX / 1024, LOGO_SIDE_MAX)}>
      <div className="flex flex-wrap items-center gap-4">
        {picture && (
          <img src={picture} alt={texts.logoAlt} className="size-16 rounded-lg border border-line bg-white p-1" />
        )}
        <input
          id={inputId}
          type="file"
          accept="image/png"
          className="peer sr-only"
          disabled={upload.isPending}
          onChange={choose}
        />
        <label
          htmlFor={inputId}
          className={classes(
            buttonClasses(),
            "cursor-pointer outline-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-disabled:opacity-55",
          )}
        >
          {hasLogo ? texts.replaceLogo : texts.chooseLogo}
        </label>
        {hasLogo && (
          <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {texts.removeLogo}
          </Button>
        )}
      </div>
      <FormError error={upload.error} />
    </Section>
  );
}

/** The picture as an address for the page; it is asked for with a header, which an image alone could not send. */
function useLogo(hasLogo: boolean): string | null {
  const { account } = useWorkspace();
  const { data } = useQuery({
    queryKey: ["logo", account.id],
    queryFn: async ({ signal }) => (await send(getLogo, { signal }, account.id)).blob(),
    enabled: hasLogo,
  });
  return useObjectUrl(hasLogo ? data : undefined);
}

async function readAsBase64(file: File): Promise<string> {
  if (file.size > LOGO_BYTES_MAX) throw new Error(texts.logoTooLarge(LOGO_BYTES_MAX / 1024));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(new Error(texts.fileUnreadable));
  reader.readAsDataURL(file);
  const dataUrl = await promise;
  return dataUrl.slice(dataUrl.indexOf(",") + 1);
}
