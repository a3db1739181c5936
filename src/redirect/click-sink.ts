/** The part of a request that a redirect depends on. */
export interface RequestText {
  readonly method: string;
  /** Ends with path and query; anything before them is ignored. */
  readonly url: string;
  readonly headers: Pick<Headers, "get">;
}

/** Records clicks. */
export interface ClickSink {
  /**
   * Called for each redirect that counts as a click, before it is answered. If it returns a promise, the answer waits
   * for it, and is sent even if the promise rejects.
   */
  record(
    request: RequestText,
    clientAddress: string,
    link: { readonly no: number; readonly accountNo: number },
    location: string,
  ): Promise<void> | undefined;
}

/** Records nothing, so the server doesn't even look up the client address. */
export const noClicks: ClickSink = { record: () => undefined };
