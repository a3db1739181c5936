import { ChevronLeft } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useChange } from "#console/api/use-change.ts";
import { useDomainChoice } from "#console/links/use-domain-choice.ts";
import { Button } from "#console/ui/button.tsx";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { SelectField, TextField } from "#console/ui/field.tsx";
import { FormError, problemOf } from "#console/ui/form-error.tsx";
import { Section } from "#console/ui/section.tsx";
import { type ConflictPolicy, conflictPolicies, type Import, startImport } from "#contract/console/imports.ts";
import { importTexts as texts } from "#texts/imports.ts";
import { CsvMapping } from "./csv-mapping.tsx";
import { FileField } from "./file-field.tsx";
import { hasAddress, hintOf, type Source, titleOf, tokenHintOf } from "./sources.ts";
import { type Columns, isImportable, problemOfPreview, useCsvPreview } from "./use-csv-preview.ts";
import { useUpload } from "./use-upload.ts";

interface SourceFormProps {
  readonly source: Source;
  readonly onBack: () => void;
  readonly onStarted: (started: Import) => void;
}

const CSV = "csv";
/** Whose problems are shown beside them. */
const fields = ["url", "token", "tag", "domain"];

/** Where a source is and what becomes of its links. What it starts only reads and checks. */
export function SourceForm({ source, onBack, onStarted }: SourceFormProps) {
  const { call } = useWorkspace();
  const [place, setPlace] = useState<"url" | "file">(source.place === "file" ? "file" : "url");
  const [url, setUrl] = useState("");
  const [token, setToken] = useState("");
  const [tag, setTag] = useState("");
  const [domain, setDomain] = useState("");
  const [onConflict, setOnConflict] = useState<ConflictPolicy>("skip");
  const [withClicks, setWithClicks] = useState(true);
  const [sendsEvents, setSendsEvents] = useState(true);
  const [columns, setColumns] = useState<Columns>({});
  const main = useUpload();
  const counts = useUpload();
  const { options, chosen } = useDomainChoice(domain);
  const isCsv = source.name === CSV;
  const isFile = place === "file";
  const hasCounts = isCsv && withClicks && counts.upload !== null;
  const linksPreview = useCsvPreview(isCsv ? main.upload?.id : null, "links", columns);
  const countsPreview = useCsvPreview(hasCounts ? counts.upload?.id : null, "counts");
  const countsProblem = hasCounts ? (problemOfPreview(countsPreview) ?? countsPreview.error?.message) : undefined;
  const start = useChange(
    () =>
      call(startImport, {
        body: {
          source: source.name,
          ...(!isFile && url.trim() !== "" && { url: url.trim() }),
          ...(!isFile && token.trim() !== "" && { token: token.trim() }),
          ...(isFile && main.upload?.id && { upload: main.upload.id, file_name: main.upload.name.slice(-255) }),
          ...(hasCounts && counts.upload?.id && { counts_upload: counts.upload.id }),
          ...(isCsv && { columns }),
          on_conflict: onConflict,
          domain: domain === "" ? null : domain,
          tag: tag.trim() === "" ? null : tag.trim(),
          sends_events: sendsEvents,
          with_clicks: withClicks,
          time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        },
      }),
    { refreshes: ["imports"], inForm: true, onDone: onStarted },
  );
  const isMapped = !isCsv || (isImportable(linksPreview) && (!hasCounts || isImportable(countsPreview)));
  const isReady = !isFile || (Boolean(main.upload?.id) && (!hasCounts || Boolean(counts.upload?.id)) && isMapped);
  function submit(event: FormEvent): void {
    event.preventDefault();
    start.mutate();
  }
  return (
    <>
      <BackButton onClick={onBack} />
      <form onSubmit={submit}>
        <Section title={texts.from(titleOf(source))} note={hintOf(source)}>
          <div className="grid max-w-2xl min-w-0 gap-5">
            {source.place === "either" && (
              <ChoiceGroup legend={texts.place}>
                {(["url", "file"] as const).map((one) => (
                  <CheckRow
                    key={one}
                    type="radio"
                    name="place"
                    label={texts.places[one]}
                    checked={place === one}
                    onChange={() => setPlace(one)}
                  />
                ))}
              </ChoiceGroup>
            )}
            {isFile ? (
              <FileField
                label={isCsv ? texts.linksFile : texts.file}
                accept={isCsv ? ".csv,.tsv,.txt,text/csv" : ""}
                hint={isCsv ? texts.csvHint : undefined}
                upload={main.upload}
                onChoose={(file) => {
                  setColumns({});
                  main.choose(file);
                }}
              />
            ) : (
              <>
                {hasAddress(source) && (
                  <TextField
                    label={texts.address}
                    type="url"
                    required
                    placeholder="https://"
                    value={url}
                    error={problemOf(start.error, "url")}
                    hint={texts.addressHint(source.title)}
                    onChange={({ target }) => setUrl(target.value)}
                  />
                )}
                {source.needs_token && (
                  <TextField
                    label={texts.token}
                    type="password"
                    autoComplete="off"
                    required
                    value={token}
                    error={problemOf(start.error, "token")}
                    hint={[tokenHintOf(source), texts.tokenHint].filter(Boolean).join(" ")}
                    onChange={({ target }) => setToken(target.value)}
                  />
                )}
              </>
            )}
          </div>
          {isCsv && main.upload?.id && (
            <div className="mt-6">
              <CsvMapping upload={main.upload.id} chosen={columns} onChange={setColumns} />
            </div>
          )}
          {isCsv && withClicks && main.upload?.id && (
            <div className="mt-6 max-w-2xl">
              <FileField
                label={texts.countsFile}
                accept=".csv,.tsv,.txt,text/csv"
                hint={texts.countsHint}
                upload={counts.upload}
                onChoose={counts.choose}
                problem={countsProblem}
              />
            </div>
          )}
        </Section>
        <Section title={texts.options}>
          <div className="grid max-w-2xl gap-5">
            <ChoiceGroup legend={texts.onConflict}>
              {conflictPolicies.map((policy) => (
                <CheckRow
                  key={policy}
                  type="radio"
                  name="on-conflict"
                  label={texts.policies[policy].label}
                  note={texts.policies[policy].note}
                  checked={onConflict === policy}
                  onChange={() => setOnConflict(policy)}
                />
              ))}
            </ChoiceGroup>
            {options.length > 1 && (
              <SelectField
                label={texts.domain}
                hint={texts.domainHint}
                value={chosen.name}
                error={problemOf(start.error, "domain")}
                onChange={({ target }) => setDomain(target.value)}
              >
                {options.map(({ name, label }) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </SelectField>
            )}
            <TextField
              label={texts.tag}
              hint={texts.tagHint}
              maxLength={50}
              value={tag}
              error={problemOf(start.error, "tag")}
              onChange={({ target }) => setTag(target.value)}
            />
            <div>
              <CheckRow
                label={texts.withClicks}
                note={texts.withClicksNote}
                checked={withClicks}
                onChange={setWithClicks}
              />
              <CheckRow
                label={texts.sendsEvents}
                note={texts.sendsEventsNote}
                checked={sendsEvents}
                onChange={setSendsEvents}
              />
            </div>
          </div>
          <FormError error={start.error} fields={fields} />
          <div className="mt-6 flex flex-wrap items-center gap-3">
            <Button type="submit" look="primary" busy={start.isPending} disabled={!isReady}>
              {texts.check}
            </Button>
            <p className="text-sm text-soft">{texts.checkNote}</p>
          </div>
        </Section>
      </form>
    </>
  );
}

export const BackButton = ({ onClick }: { readonly onClick: () => void }) => (
  <Button look="quiet" size="small" className="mb-3 -ml-2" onClick={onClick}>
    <ChevronLeft className="size-4" aria-hidden />
    {texts.back}
  </Button>
);
