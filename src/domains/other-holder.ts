/** Another account's verified claim on a name. */
export interface OtherHolder {
  readonly account_id: string;
  readonly domain_id: string;
  readonly link_count: number;
}

/** Why the operator can't give the name to someone else without saying so. */
export const heldText = (name: string, { account_id, link_count }: OtherHolder): string =>
  `account ${account_id} holds ${name} (${linksText(link_count)} on it); ` +
  "with --take-over it loses the name, and its links there stop working";

export const linksText = (count: number): string => (count === 1 ? "1 link" : `${count} links`);
