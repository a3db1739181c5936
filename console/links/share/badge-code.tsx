import { CopyButton } from "#console/ui/copy-button.tsx";
import { Fold } from "#console/ui/fold.tsx";
import { sharingTexts as texts } from "#texts/sharing.ts";

interface BadgeCodeProps {
  readonly badgeUrl: string;
  readonly url: string;
}

/** The image with the number of clicks, and what to write on another page to show it. */
export const BadgeCode = ({ badgeUrl, url }: BadgeCodeProps) => (
  <div className="mt-2 -mb-1 border-t border-line pt-1">
    <Fold title={texts.badge} used={false}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-2 pt-1 pb-2">
        <img src={new URL(badgeUrl).pathname} alt={texts.badgeAlt} className="h-5" />
        <p className="min-w-0 grow basis-52 text-sm text-soft">{texts.badgeNote}</p>
        <div className="flex flex-wrap gap-2">
          <CopyButton
            text={`[![${texts.badgeWords}](${badgeUrl})](${url})`}
            label={texts.copyMarkdown}
            look="plain"
            size="small"
          >
            {texts.markdown}
          </CopyButton>
          <CopyButton
            text={`<a href="${url}"><img src="${badgeUrl}" alt="${texts.badgeWords}" height="20"></a>`}
            label={texts.copyHtml}
            look="plain"
            size="small"
          >
            {texts.html}
          </CopyButton>
        </div>
      </div>
    </Fold>
  </div>
);
