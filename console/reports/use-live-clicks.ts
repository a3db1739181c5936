import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import type { LiveClick } from "#contract/console/links.ts";
import { calmRefresh } from "./calm-refresh.ts";
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

/** Clicks as they happen, while the page can be seen; the report on screen follows them. */
export function useLiveClicks(link: ReportLink): LiveClicks {
  const { account } = useWorkspace();
  const client = useQueryClient();
  const [live, setLive] = useState<LiveClicks>({ isConnected: false, count: 0, latest: [] });

  useEffect(() => {
    let waiting: LiveClick[] = [];
    let flush: ReturnType<typeof setTimeout> | undefined;
    let stop = new AbortController();
    let wasOpen = false;
    const queryKey = reportsKey(account.id, link);
    const refresh = calmRefresh(() => client.invalidateQueries({ queryKey }));

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
    const tell = (isConnected: boolean): void => {
      setLive((before) => ({ ...before, isConnected }));
      // Nobody told of the clicks that came while it was closed, or between the report and its first opening.
      const isLoaded = client.getQueriesData({ queryKey }).some(([, report]) => report !== undefined);
      if (isConnected && (wasOpen || isLoaded)) refresh.soon();
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
            refresh.soon();
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
      refresh.stop();
    };
  }, [account.id, link, client]);
  return live;
}
