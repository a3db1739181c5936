import { Link2 } from "lucide-react";
import { Button } from "#console/ui/button.tsx";
import { CodeBlock } from "#console/ui/code-block.tsx";
import { CountryFlag } from "#console/ui/country-flag.tsx";
import { Empty, Panel } from "#console/ui/panel.tsx";
import { Section } from "#console/ui/section.tsx";
import { UsageBar } from "#console/ui/usage-bar.tsx";
import { When } from "#console/ui/when.tsx";
import { Part, Row } from "./part.tsx";

export const Surfaces = () => (
  <Part title="Surfaces">
    <Section title="A section" note="One matter of a page." action={<Button size="small">Change</Button>}>
      <div className="grid gap-5 sm:grid-cols-3">
        <UsageBar label="Some" used={30} limit={100} />
        <UsageBar label="Nearly all" used={95} limit={100} />
        <UsageBar label="Without a limit" used={1234} limit={null} />
      </div>
    </Section>
    <Section title="A dangerous section" note="What can't be undone." tone="bad">
      <Button look="danger">Delete account</Button>
    </Section>
    <Section title="A list" flush>
      <ul>
        {["One", "Two", "Three"].map((name) => (
          <li key={name} className="flex justify-between border-line px-5 py-3 not-first:border-t sm:px-6">
            {name} <When instant="2026-01-01T00:00:00Z" />
          </li>
        ))}
      </ul>
    </Section>
    <Panel>
      <Empty icon={<Link2 aria-hidden />} title="Nothing here yet" action={<Button look="primary">Create link</Button>}>
        What it would be for, and how to begin.
      </Empty>
    </Panel>
    <Row title="Countries, and codes without a flag">
      {["DE", "JP", "NP", "CH", "XK", "EU", "T1"].map((code) => (
        <CountryFlag key={code} country={code} />
      ))}
    </Row>
    <CodeBlock label="example" code={'curl https://kurz.example/api/v1/links \\\n  -H "Authorization: Bearer …"'} />
  </Part>
);
