import { connect } from "node:net";

export interface Crowd {
  readonly port: number;
  /** One request of each visitor, whole. */
  readonly requests: readonly string[];
  /** How many requests a connection has under way; the HTTP server alone takes one at a time. */
  readonly pipelined: number;
}

const CONNECTIONS = 16;
const SILENT_MS_MAX = 60_000;
// Redirects have no body, so that an answer ends with its head.
const ANSWER_END = "\r\n\r\n";

/** Another address for each of 16 million visitors. */
export const addressOfVisitor = (visitor: number): string =>
  `11.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`;

/** Sends the requests over a few connections and returns where each of them is redirected, in their order. */
export async function redirectsOf({ port, requests, pipelined }: Crowd): Promise<string[]> {
  const locations = new Array<string>(requests.length);
  let next = 0;
  const takeBatch = (): readonly number[] => {
    const batch = Array.from({ length: Math.min(pipelined, requests.length - next) }, (_, index) => next + index);
    next += batch.length;
    return batch;
  };
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let batch: readonly number[] = [];
      let received = "";
      const socket = connect({ host: "127.0.0.1", port, noDelay: true });
      const send = (): void => {
        batch = takeBatch();
        if (batch.length > 0) socket.write(batch.map((index) => requests[index]).join(""), "latin1");
        else socket.end(resolve);
      };
      socket.setEncoding("latin1");
      socket.setTimeout(SILENT_MS_MAX, () => socket.destroy(new Error("no answer")));
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("close", () => reject(new Error(`closed with ${batch.length} requests under way: ${received}`)));
      socket.on("data", (text: string) => {
        received += text;
        const answers = received.split(ANSWER_END);
        if (answers.length - 1 < batch.length) return;
        for (const [index, visitor] of batch.entries()) locations[visitor] = locationIn(answers[index] ?? "");
        received = "";
        send();
      });
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return locations;
}

function locationIn(head: string): string {
  const [, location] = /^HTTP\/1\.1 30[1278] .*\r\nlocation: ([^\r\n]*)/is.exec(head) ?? [];
  if (location === undefined) throw new Error(`not a redirect: ${head}`);
  return location;
}
