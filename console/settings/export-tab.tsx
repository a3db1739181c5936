import { Download } from "lucide-react";
import { urlOf } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { buttonClasses } from "#console/ui/button.tsx";
import { Section } from "#console/ui/section.tsx";
import { exportLinks } from "#contract/console/links.ts";

const formats = [
  { format: "csv", label: "Download CSV" },
  { format: "json", label: "Download JSON" },
] as const;

export function ExportTab() {
  const { account } = useWorkspace();
  return (
    <Section
      title="Links"
      note="Every link of the account with its destination, tags, state and clicks. CSV opens in a spreadsheet; JSON has every field as the API gives it."
    >
      <div className="flex flex-wrap gap-2">
        {formats.map(({ format, label }) => (
          <a
            key={format}
            href={urlOf(exportLinks, {}, { account: account.id, format })}
            download
            className={buttonClasses({ look: format === "csv" ? "primary" : "plain" })}
          >
            <Download className="size-4" aria-hidden />
            {label}
          </a>
        ))}
      </div>
      <p className="mt-4 text-sm text-soft">
        Reports are exported as CSV where they are shown, with the filters you chose.
      </p>
    </Section>
  );
}
