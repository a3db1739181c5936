import { useMutation } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { useId } from "react";
import { loadPart } from "#console/api/load-part.ts";
import { Button } from "#console/ui/button.tsx";
import { dayIn } from "#console/ui/days.ts";
import { SelectField } from "#console/ui/field.tsx";
import { Popover } from "#console/ui/popover.tsx";
import { saveFile } from "#console/ui/save-file.ts";
import { toastError } from "#console/ui/toast.tsx";
import { type Granularity, granularities } from "#contract/analytics.ts";
import { reportTexts } from "#texts/reports.ts";
import type { ChartPicture } from "./chart-image.ts";
import { toChartPicture } from "./chart-picture.ts";
import { useReportScope } from "./report-context.tsx";
import type { ReportData } from "./report-query.ts";
import { TimeZoneField } from "./time-zone-field.tsx";
import { useDownload } from "./use-download.ts";

const texts = reportTexts.options;

const hours: { readonly [G in Granularity]: number } = { hour: 1, day: 24, week: 168, month: 672 };
// The server draws the line at 1000; a zone that changes its clock may add one.
const BUCKETS_MAX = 990;

async function savePicture(picture: ChartPicture): Promise<void> {
  const { drawChart } = await loadPart(() => import("./chart-image.ts"));
  saveFile(await drawChart(picture), `chart-${dayIn("UTC")}.png`);
}

interface ReportOptionsProps {
  readonly title: string | undefined;
  readonly report: ReportData | undefined;
  readonly before: ReportData | undefined;
}

/** How the report is cut and counted, and the way to take it along. */
export function ReportOptions({ title, report, before }: ReportOptionsProps) {
  const { source, search, show } = useReportScope();
  const picture = useMutation({ mutationFn: savePicture, onError: toastError });
  const period = report?.period;
  const download = useDownload();
  const botsId = useId();
  const lengthHours = period ? (Date.parse(period.to) - Date.parse(period.from)) / 3_600_000 : 0;
  const { granularity, include_bots } = search;
  return (
    <Popover
      label={texts.title}
      trigger={
        <Button size="icon" className="size-control!" aria-label={texts.title} title={texts.title}>
          <SlidersHorizontal className="size-4" aria-hidden />
        </Button>
      }
      className="w-72 space-y-4 p-4"
    >
      <SelectField
        label={texts.groupBy}
        data-first
        value={granularity ?? ""}
        onChange={({ target: { value } }) => {
          const next = granularities.find((name) => name === value);
          show(({ granularity: _, ...rest }) => ({ ...rest, ...(next && { granularity: next }) }));
        }}
      >
        <option value="">{texts.automatic}</option>
        {granularities.map((name) => (
          <option key={name} value={name} disabled={lengthHours / hours[name] > BUCKETS_MAX}>
            {reportTexts.granularities[name].name}
          </option>
        ))}
      </SelectField>
      {source.hasOwnTimeZone && <TimeZoneField />}
      <div className="flex items-center gap-2.5">
        <input
          id={botsId}
          type="checkbox"
          checked={include_bots === "true"}
          onChange={({ target: { checked } }) =>
            show(({ include_bots: _, ...rest }) => ({ ...rest, ...(checked && { include_bots: "true" }) }))
          }
          className="size-4"
        />
        <label htmlFor={botsId} className="text-sm">
          {texts.countBots}
        </label>
      </div>
      <div className="space-y-2 border-t border-line pt-4">
        <p className="text-sm font-medium">{texts.export}</p>
        <div className="grid auto-cols-fr grid-flow-col gap-2">
          {source.askCsv && (
            <Button
              size="small"
              busy={download.isPending}
              aria-label={texts.csvLabel}
              onClick={() => download.mutate({ search })}
            >
              {texts.csv}
            </Button>
          )}
          <Button
            size="small"
            busy={picture.isPending}
            disabled={!report}
            aria-label={texts.pngLabel}
            onClick={() =>
              report && picture.mutate(toChartPicture(title ?? "", search.metric ?? "clicks", report, before))
            }
          >
            {texts.png}
          </Button>
          <Button size="small" onClick={() => window.print()}>
            {texts.print}
          </Button>
        </div>
      </div>
    </Popover>
  );
}
