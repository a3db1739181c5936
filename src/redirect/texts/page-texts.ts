import type { BlockReason } from "#contract/errors.ts";

interface Saying {
  readonly title: string;
  readonly text: string;
}

/** All texts on visitor pages in one language. `{…}` is a placeholder. */
export interface PageTexts {
  readonly notFound: Saying;
  readonly gone: Saying;
  readonly tooManyMisses: Saying;
  readonly tooManyRequests: Saying;
  readonly tooManyPasswords: Saying;
  /** The form of a link with a password. */
  readonly password: Saying & { readonly label: string; readonly submit: string; readonly wrong: string };
  /** Shown to programs instead of a link with a limited number of clicks. */
  readonly limited: Saying & { readonly open: string };
  readonly unavailable: Saying;
  readonly methodNotAllowed: Saying;
  readonly targetTooLong: Saying;
  readonly internalError: Saying;
  readonly blocked: {
    readonly title: string;
    readonly reasons: Readonly<Record<BlockReason | "suspended", string>>;
    readonly notForwarded: string;
    readonly mistake: string;
    readonly subject: string;
  };
  readonly preview: {
    readonly title: string;
    readonly heading: string;
    /** `{link}` stands for the short link. */
    readonly leadsTo: string;
    readonly destination: string;
    /** Warns that the host, shown in punycode, may imitate another. */
    readonly lookAlike: string;
    /** For a link with rules. */
    readonly varies: string;
    readonly proceed: string;
    readonly wrong: string;
    readonly subject: string;
    /** Explains why the demo doesn't redirect. */
    readonly demo: Saying;
  };
}
