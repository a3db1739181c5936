import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import type { LiveClick } from "#contract/console/links.ts";
import type { ReportLink } from "./report-query.ts";
import { reportsKey } from "./use-report.ts";
import { watchClicks } from "./watch-clicks.ts";

export interface LiveClicks {
  readonly isConnected: boolean;
  /** Since the page was opened. */
  readonly count: number;
  /** The newest first. */
  readonly latest: readonly (LiveClick & { readonly key: number })[];
}

const SHOWN_MAX = 20;
const FLUSH_MS = 500;
// A click is in reports at most two seconds after the visitor was sent on; more often than this would not be calm.
const REFRESH_MS = 3000;
const REST_FACTOR = 10;

/** Clicks as they happen, while the page can be seen; the report on screen follows them. */
export function useLiveClicks(link: ReportLink): LiveClicks {
  const { account } = useWorkspace();
  const client = useQueryClient();
  const [live, setLive] = useState<LiveClicks>({ isConnected: false, count: 0, latest: [] });

  useEffect(() => {
    let waiting: LiveClick[] = [];
    let flush: ReturnType<typeof setTimeout> | undefined;
    let refresh: ReturnType<typeof setTimeout> | undefined;
    let notBeforeMs = 0;
    let stop = new AbortController();
    let wasOpen = false;

    const show = (): void => {
      flush = undefined;
      const fresh = waiting;
      waiting = [];
      setLive(({ isConnected, count, latest }) => {
        const numbered = fresh.map((click, index) => ({ ...click, key: count + index }));
        return {
          isConnected,
          count: count + fresh.length,
          latest: [...numbered.toReversed(), ...latest].slice(0, SHOWN_MAX),
        };
      });
    };
    const update = async (): Promise<void> => {
      const startedMs = performance.now();
      await client.invalidateQueries({ queryKey: reportsKey(account.id, link) });
      // A report that takes long is asked for less often, so that watching it costs the server little.
      notBeforeMs = performance.now() + (performance.now() - startedMs) * REST_FACTOR;
      refresh = undefined;
    };
    const refreshSoon = (): void => {
      refresh ??= setTimeout(() => void update(), Math.max(REFRESH_MS, notBeforeMs - performance.now()));
    };
    const tell = (isConnected: boolean): void => {
      setLive((before) => ({ ...before, isConnected }));
      // Nobody told of the clicks that came while it was closed.
      if (isConnected && wasOpen) refreshSoon();
      wasOpen ||= isConnected;
    };
    const follow = (): void => {
      stop.abort();
      stop = new AbortController();
      if (document.hidden) {
        tell(false);
        return;
      }
      const { signal } = stop;
      void watchClicks(
        account.id,
        {
          onConnected: tell,
          onClicks(clicks) {
            const own = clicks.filter((click) => link === null || click.link.id === link);
            if (own.length === 0) return;
            waiting.push(...own);
            flush ??= setTimeout(show, FLUSH_MS);
            refreshSoon();
          },
        },
        signal,
      );
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      stop.abort();
      clearTimeout(flush);
      clearTimeout(refresh);
    };
  }, [account.id, link, client]);
  return live;
}
