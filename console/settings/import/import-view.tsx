import { useQuery } from "@tanstack/react-query";
import { useWorkspace } from "#console/api/session.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { getImport } from "#contract/console/imports.ts";
import { ImportForecastSection } from "./import-forecast.tsx";
import { ImportProgress } from "./import-progress.tsx";
import { ImportResult } from "./import-result.tsx";
import { isWorking } from "./import-state.ts";
import { BackButton } from "./source-form.tsx";

interface ImportViewProps {
  readonly id: string;
  readonly onLeave: () => void;
}

const AGAIN_MS = 1000;

/** One import: how far it is, what it would do, or what it did. */
export function ImportView({ id, onLeave }: ImportViewProps) {
  const { account, call } = useWorkspace();
  const query = useQuery({
    queryKey: ["imports", account.id, id],
    queryFn: ({ signal }) => call(getImport, { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data && isWorking(state.data.state) ? AGAIN_MS : false),
  });
  return (
    <>
      <BackButton onClick={onLeave} />
      <Loaded query={query}>
        {(found) => {
          if (isWorking(found.state)) return <ImportProgress found={found} />;
          if (found.state === "checked" && found.forecast) {
            return <ImportForecastSection found={found} forecast={found.forecast} onLeave={onLeave} />;
          }
          return <ImportResult found={found} />;
        }}
      </Loaded>
    </>
  );
}
