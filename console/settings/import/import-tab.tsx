import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useWorkspace } from "#console/api/session.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { RoleGate } from "#console/ui/role-note.tsx";
import { listImports } from "#contract/console/imports.ts";
import { importTexts as texts } from "#texts/imports.ts";
import { ImportList } from "./import-list.tsx";
import type { ImportSearch } from "./import-search.ts";
import { ImportView } from "./import-view.tsx";
import { SourceForm } from "./source-form.tsx";
import { SourcePicker } from "./source-picker.tsx";

export const ImportTab = () => (
  <RoleGate least="admin" what={texts.what}>
    <Imports />
  </RoleGate>
);

const from = "/a/$account/settings/import";

/** One step after the other, each with an address of its own. */
function Imports() {
  const { account, state, call } = useWorkspace();
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const show = (next: ImportSearch) => void navigate({ to: ".", search: next });
  const all = useQuery({ queryKey: ["imports", account.id], queryFn: () => call(listImports) });
  if (search.import !== undefined) {
    return <ImportView key={search.import} id={search.import} onLeave={() => show({})} />;
  }
  return (
    <Loaded query={all}>
      {({ data, sources }) => {
        const source = sources.find(({ name }) => name === search.source);
        if (source) {
          return <SourceForm source={source} onBack={() => show({})} onStarted={({ id }) => show({ import: id })} />;
        }
        return (
          <>
            <SourcePicker sources={sources} isDemo={state.demo !== null} onChoose={(name) => show({ source: name })} />
            {data.length > 0 && <ImportList imports={data} sources={sources} onOpen={(id) => show({ import: id })} />}
          </>
        );
      }}
    </Loaded>
  );
}
