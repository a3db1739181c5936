import { useQuery } from "@tanstack/react-query";
import { useWorkspace } from "#console/api/session.tsx";
import { classes } from "#console/ui/classes.ts";
import { useDebounced } from "#console/ui/debounce.ts";
import { Field } from "#console/ui/field.tsx";
import { checkSlug } from "#contract/console/links.ts";
import { SLUG_PATTERN } from "#contract/limits.ts";
import { linkFormTexts as texts } from "#texts/link-form.ts";
import type { DomainOption } from "./use-domain-choice.ts";

const SETTLE_MS = 300;

interface SlugFieldProps {
  readonly domain: DomainOption;
  readonly value: string;
  readonly onChange: (slug: string) => void;
  readonly onBlur: () => void;
  readonly problem: string | undefined;
}

/** The last part of the short address, with word of whether it can still be had. */
export function SlugField({ domain, value, onChange, onBlur, problem }: SlugFieldProps) {
  const { account, call } = useWorkspace();
  const slug = useDebounced(value.trim(), SETTLE_MS);
  const { data } = useQuery({
    queryKey: ["slug", account.id, domain.name, slug.toLowerCase()],
    queryFn: ({ signal }) => call(checkSlug, { params: { slug }, query: { domain: domain.name }, signal }),
    enabled: SLUG_PATTERN.test(slug),
  });
  const answer = slug === value.trim() && slug !== "" ? data : undefined;
  const taken = answer && !answer.available ? texts.slug.taken(answer.problem) : undefined;
  return (
    <Field
      label={texts.fields.slug}
      aside={texts.optional}
      error={problem ?? taken}
      hint={answer?.available ? <span className="text-good">{texts.slug.free}</span> : texts.slug.hint}
    >
      {(props) => (
        <div
          className={classes(
            "flex h-control items-center rounded-lg border bg-card hover:border-faint has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 outline-accent",
            props["aria-invalid"] ? "border-bad" : "border-line-strong",
          )}
        >
          <span className="flex max-w-[60%] shrink-0 pl-3 text-faint">
            <span className="truncate">{domain.label}</span>/
          </span>
          <input
            {...props}
            type="text"
            value={value}
            onChange={(event) => onChange(event.target.value.replace(/\s/g, "-"))}
            onBlur={onBlur}
            maxLength={64}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className="h-full min-w-0 grow rounded-r-lg bg-transparent pr-3 outline-none"
          />
        </div>
      )}
    </Field>
  );
}
