import { Plus, Trash2 } from "lucide-react";
import { Button } from "#console/ui/button.tsx";
import { CopyButton } from "#console/ui/copy-button.tsx";
import { Key } from "#console/ui/keys.tsx";
import { Badge, type Tone } from "#console/ui/panel.tsx";
import { Part, Row } from "./part.tsx";

const looks = ["primary", "plain", "quiet", "danger"] as const;
const tones: readonly Tone[] = ["plain", "good", "warn", "bad", "accent"];

export const Buttons = () => (
  <Part title="Buttons and badges">
    {looks.map((look) => (
      <Row key={look} title={look}>
        <Button look={look}>Create link</Button>
        <Button look={look}>
          <Plus className="-ml-1 size-4" aria-hidden />
          With icon
        </Button>
        <Button look={look} size="small">
          Small
        </Button>
        <Button look={look} size="icon" aria-label={`Delete, ${look}`}>
          <Trash2 className="size-4" aria-hidden />
        </Button>
        <Button look={look} busy>
          Saving
        </Button>
        <Button look={look} disabled>
          Disabled
        </Button>
      </Row>
    ))}
    <Row title="Copying">
      <CopyButton text="kurz" label="Copy this" />
      <CopyButton text="kurz" label="Copy that" look="plain" size="normal">
        Copy
      </CopyButton>
    </Row>
    <Row title="Badges">
      {tones.map((tone) => (
        <Badge key={tone} tone={tone}>
          {tone}
        </Badge>
      ))}
    </Row>
    <Row title="Keys">
      <Key>Ctrl</Key>
      <Key>K</Key>
      <Key>/</Key>
    </Row>
  </Part>
);
