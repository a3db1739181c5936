/** One delivery as received. */
export interface Hit {
  readonly path: string;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly at: number;
  readonly delivery: string;
  readonly event: string;
  /** Aborted when the sender hangs up. */
  readonly signal: AbortSignal;
}

/** Lets a server deliver to receivers on this machine over plain http. */
export const loopbackWebhooks = { KURZ_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8", KURZ_WEBHOOK_ALLOW_INSECURE: "1" };

type Answer = (hit: Hit) => Response | Promise<Response>;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly hits: Hit[];
  /** Sets how it answers; 204 by default. */
  answerWith(answer: Answer): void;
  stop(): Promise<void>;
}

export interface ReceiverOptions {
  readonly tls?: Bun.TLSOptions;
  readonly hostname?: string;
  readonly port?: number;
}

/** A real server that receives deliveries. */
export function startReceiver(options: ReceiverOptions = {}): Receiver {
  const { hostname = "127.0.0.1" } = options;
  const hits: Hit[] = [];
  let answer: Answer = () => new Response(null, { status: 204 });
  const server = Bun.serve({
    hostname,
    port: options.port ?? 0,
    idleTimeout: 0,
    ...(options.tls && { tls: options.tls }),
    async fetch(request) {
      const hit = {
        path: new URL(request.url).pathname,
        headers: request.headers,
        body: Buffer.from(await request.arrayBuffer()),
        at: performance.now(),
        delivery: request.headers.get("service-delivery") ?? "",
        event: request.headers.get("service-event") ?? "",
        signal: request.signal,
      };
      hits.push(hit);
      return answer(hit);
    },
  });
  return {
    url: `${options.tls ? "https" : "http"}://${hostname}:${server.port}/hook`,
    port: server.port ?? 0,
    hits,
    answerWith(next) {
      answer = next;
    },
    stop: () => server.stop(true),
  };
}

/** The parsed body of a hit. */
export const payloadOf = <T = Record<string, unknown>>({ body }: Hit): T => JSON.parse(body.toString()) as T;
