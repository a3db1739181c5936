import { Image } from "lucide-react";
import { TextField } from "#console/ui/field.tsx";
import { Fold } from "#console/ui/fold.tsx";
import { linkFormTexts as texts } from "#texts/link-form.ts";
import type { PreviewValues } from "./setting-values.ts";
import type { LinkFormState } from "./use-link-form.ts";
import { withScheme } from "./with-scheme.ts";

/** What chats and social networks show for the link. */
export function PreviewSection({ form }: { readonly form: LinkFormState }) {
  const { values, base, change, problemOf, touch } = form;
  const { preview } = values;
  const isSet = Object.values(preview).some((text) => text !== "");
  const set = (some: Partial<PreviewValues>) => change("preview", { ...preview, ...some });
  return (
    <Fold title={texts.fields.preview} summary={isSet && (preview.title || texts.preview.set)} used={isSet}>
      <div className="grid gap-5 px-2 pt-1 pb-5 sm:grid-cols-2">
        <div className="grid content-start gap-5">
          <TextField
            label={texts.preview.headline}
            aside={texts.optional}
            maxLength={255}
            value={preview.title}
            error={problemOf("preview.title")}
            onChange={(event) => set({ title: event.target.value })}
          />
          <TextField
            label={texts.preview.description}
            aside={texts.optional}
            maxLength={1000}
            value={preview.description}
            error={problemOf("preview.description")}
            onChange={(event) => set({ description: event.target.value })}
          />
          <TextField
            label={texts.preview.image}
            aside={texts.optional}
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://example.com/picture.png"
            value={preview.image_url}
            error={problemOf("preview.image_url")}
            onChange={(event) => set({ image_url: event.target.value })}
            onBlur={() => {
              const whole = withScheme(preview.image_url);
              if (whole !== preview.image_url) set({ image_url: whole });
              touch("preview.image_url");
            }}
          />
        </div>
        <ChatPicture preview={preview} domain={base?.domain ?? ""} />
      </div>
    </Fold>
  );
}

function imageText(address: string): string {
  const url = URL.parse(withScheme(address));
  return url ? texts.preview.yourImageFrom(url.host) : texts.preview.yourImage;
}

interface ChatPictureProps {
  readonly preview: PreviewValues;
  readonly domain: string;
}

/** The card in a message. The picture itself isn't fetched: the console loads nothing from other sites. */
const ChatPicture = ({ preview: { title, description, image_url }, domain }: ChatPictureProps) => (
  <figure className="min-w-0 self-start rounded-xl bg-sunken p-4">
    <figcaption className="mb-2 text-sm text-soft">{texts.preview.caption}</figcaption>
    <div className="max-w-80 overflow-hidden rounded-xl rounded-bl-sm border border-line bg-card shadow-card">
      {image_url.trim() !== "" && (
        <div className="flex aspect-[1.91] flex-col items-center justify-center gap-1 border-b border-line bg-accent-soft px-3 text-accent">
          <Image className="size-8" aria-hidden />
          <span className="max-w-full truncate text-xs">{imageText(image_url)}</span>
          <span className="text-center text-xs text-soft">{texts.preview.notLoaded}</span>
        </div>
      )}
      <div className="grid gap-0.5 p-3">
        <span className="line-clamp-2 text-sm font-semibold wrap-anywhere">
          {title.trim() || texts.preview.headline}
        </span>
        {description.trim() !== "" && (
          <span className="line-clamp-3 text-sm wrap-anywhere text-soft">{description}</span>
        )}
        {domain !== "" && <span className="truncate text-xs text-faint">{domain}</span>}
      </div>
    </div>
  </figure>
);
