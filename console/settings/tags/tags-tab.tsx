import { useInfiniteQuery } from "@tanstack/react-query";
import { SearchX, Tag as TagIcon } from "lucide-react";
import { useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useDebounced } from "#console/ui/debounce.ts";
import { inputClasses } from "#console/ui/field.tsx";
import { PagedLog } from "#console/ui/paged-log.tsx";
import { Empty } from "#console/ui/panel.tsx";
import { Section } from "#console/ui/section.tsx";
import { listTags } from "#contract/tags.ts";
import { tagTexts as texts } from "#texts/tags.ts";
import { TagRow } from "./tag-row.tsx";

const SETTLE_MS = 200;
const PENDING_AGAIN_MS = 2000;

/** All tags of the account, with what they stand for. */
export function TagsTab() {
  const { account, call } = useWorkspace();
  const [text, setText] = useState("");
  const q = useDebounced(text.trim(), SETTLE_MS);
  const tags = useInfiniteQuery({
    queryKey: ["all-tags", account.id, q],
    queryFn: ({ pageParam, signal }) =>
      call(listTags, { query: { ...(q && { q }), ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (before) => before,
    // Until all links of a renamed tag have changed.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ pending }) => pending)) ? PENDING_AGAIN_MS : false,
  });
  return (
    <Section
      title={texts.title}
      note={texts.note}
      action={
        <input
          type="search"
          aria-label={texts.find}
          placeholder={texts.find}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className={`${inputClasses} h-9! w-full text-sm sm:w-56`}
        />
      }
      flush
    >
      <PagedLog query={tags} empty={<NoTags isSearch={q !== ""} />}>
        {(rows) => (
          <ul aria-label={texts.title}>
            {rows.map((tag) => (
              <TagRow key={tag.name} tag={tag} />
            ))}
          </ul>
        )}
      </PagedLog>
    </Section>
  );
}

const NoTags = ({ isSearch }: { readonly isSearch: boolean }) =>
  isSearch ? (
    <Empty icon={<SearchX aria-hidden />} title={texts.noMatch} />
  ) : (
    <Empty icon={<TagIcon aria-hidden />} title={texts.none}>
      {texts.noneNote}
    </Empty>
  );
