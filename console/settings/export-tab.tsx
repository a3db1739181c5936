import { Download } from "lucide-react";
import { urlOf } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { buttonClasses } from "#console/ui/button.tsx";
import { Section } from "#console/ui/section.tsx";
import { downloadAccount } from "#contract/console/account.ts";
import { exportLinks } from "#contract/console/links.ts";
import { settingsTexts as texts } from "#texts/settings.ts";

const formats = [
  { format: "csv", label: texts.downloadCsv },
  { format: "json", label: texts.downloadJson },
] as const;

export function ExportTab() {
  const { account, may } = useWorkspace();
  return (
    <>
      <Section title={texts.exportTitle} note={texts.exportNote}>
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
        <p className="mt-4 text-sm text-soft">{texts.exportReports}</p>
      </Section>
      {may("admin") && (
        <Section title={texts.archiveTitle} note={texts.archiveNote}>
          <a href={urlOf(downloadAccount, {}, { account: account.id })} download className={buttonClasses()}>
            <Download className="size-4" aria-hidden />
            {texts.downloadArchive}
          </a>
        </Section>
      )}
    </>
  );
}
