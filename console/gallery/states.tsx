import { CallError } from "#console/api/call.ts";
import { Failure } from "#console/ui/failure.tsx";
import { FormError } from "#console/ui/form-error.tsx";
import { Loaded } from "#console/ui/loaded.tsx";
import { MoreButton, type PagedQuery } from "#console/ui/more-button.tsx";
import { OptionList } from "#console/ui/option-list.tsx";
import { Panel, Skeleton } from "#console/ui/panel.tsx";
import { Part, Row } from "./part.tsx";

const error = new CallError("unavailable", "The server is being restarted. Try again shortly.", {
  requestId: "req_01J0000000",
});
const paged: PagedQuery = {
  error: null,
  hasNextPage: true,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  fetchNextPage: async () => {},
};

export const States = () => (
  <Part title="Waiting and failing">
    <Panel>
      <Loaded query={{ data: undefined, error: null, refetch: async () => {} }}>{() => null}</Loaded>
    </Panel>
    <Panel>
      <Failure error={error} onRetry={() => {}} />
    </Panel>
    <FormError error={error} />
    <Row title="More of a list">
      <MoreButton query={paged} />
      <MoreButton query={{ ...paged, isFetchingNextPage: true }} />
      <MoreButton query={{ ...paged, isFetchNextPageError: true, error }} />
    </Row>
    <div className="relative h-28">
      <OptionList
        id="gallery-options"
        label="Tags"
        options={[
          { value: "spring", label: "spring", note: 12 },
          { value: "summer", label: "summer", note: 3 },
        ]}
        active={0}
        onChoose={() => {}}
      />
    </div>
    <Skeleton className="h-4 w-48" />
  </Part>
);
