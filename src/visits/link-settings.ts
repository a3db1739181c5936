import type { Rule } from "./rule.ts";

export type RedirectStatus = 301 | 302 | 307 | 308;

export interface LinkPreview {
  readonly title: string | null;
  readonly description: string | null;
  readonly image_url: string | null;
}

/** What distinguishes a link from a plain one, as stored: whatever has its default is left out. */
export interface LinkSettings {
  readonly rules?: readonly Rule[];
  readonly redirect_status?: Exclude<RedirectStatus, 302>;
  readonly forward_query?: false;
  readonly forward_path?: true;
  readonly preview?: LinkPreview;
  readonly max_clicks?: number;
  /** Unix milliseconds. */
  readonly starts_at?: number;
  readonly expired_url?: string;
}
