export interface RelayedStatement {
  readonly query: string;
}

export interface ClickHouseRelay {
  readonly origin: string;
  stop(): Promise<void>;
}

interface Watching {
  /** Added to those of each statement. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Runs before the statement is passed on. */
  readonly before?: (statement: RelayedStatement) => Promise<void>;
  /** Runs before the answer is passed on. */
  readonly after?: (statement: RelayedStatement) => Promise<void>;
  /** Whether the answer gets lost. */
  readonly loses?: (statement: RelayedStatement) => boolean;
}

/** Passes statements on to a server, so that tests can act just before or after one of them. */
export function relayClickHouse(origin: string, watching: Watching): ClickHouseRelay {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url);
      const body = await request.arrayBuffer();
      const statement = { query: url.searchParams.get("query") ?? new TextDecoder().decode(body) };
      for (const [name, value] of Object.entries(watching.settings ?? {})) url.searchParams.set(name, value);
      await watching.before?.(statement);
      const headers = new Headers(request.headers);
      headers.delete("accept-encoding");
      const answer = await fetch(`${origin}${url.pathname}${url.search}`, {
        method: request.method,
        headers,
        ...(body.byteLength > 0 && { body }),
      });
      await watching.after?.(statement);
      if (watching.loses?.(statement)) return new Response("the answer was lost", { status: 502 });
      return new Response(await answer.arrayBuffer(), {
        status: answer.status,
        headers: [...answer.headers].filter(([name]) => name.startsWith("x-clickhouse-")),
      });
    },
  });
  return { origin: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}
