import { ssoTexts as texts } from "#texts/sso.ts";

/** Between two ways to do the same. */
export const OrLine = () => (
  <p className="my-4 flex items-center gap-3 text-sm text-soft before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
    {texts.or}
  </p>
);
