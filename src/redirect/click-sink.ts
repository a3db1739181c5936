/** What is read of a request on the way of a redirect. */
export interface RequestText {
  readonly method: string;
  /** Ends with path and query; what stands before them does not matter. */
  readonly url: string;
  readonly headers: Pick<Headers, "get">;
}

/** Takes note of clicks. */
export interface ClickSink {
  /**
   * Called for each redirect that counts as a click, before it is answered. The answer waits for the promise, where
   * there is one; it is sent even if the promise rejects.
   */
  record(
    request: RequestText,
    clientAddress: string,
    link: { readonly no: number; readonly accountNo: number },
    location: string,
  ): Promise<void> | undefined;
}

/** Counts nothing, and spares the server the work of finding out who clicked. */
export const noClicks: ClickSink = { record: () => undefined };
