/** What the address of the audit log says; everything that is not understood is left out. */
export interface AuditSearch {
  readonly actor?: string;
  readonly action?: string;
  /** The id of a link. */
  readonly link?: string;
}

const ACTION = /^[a-z_]{1,40}(?:\.[a-z_]{1,40})?$/;
const TEXT_MAX = 255;

const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= TEXT_MAX;

export const readAuditSearch = ({ actor, action, link }: Record<string, unknown>): AuditSearch => ({
  ...(isText(actor) && { actor }),
  ...(isText(action) && ACTION.test(action) && { action }),
  ...(isText(link) && { link }),
});
