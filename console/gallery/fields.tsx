import { useState } from "react";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { ChipBox } from "#console/ui/chip-box.tsx";
import { SelectField, TextField } from "#console/ui/field.tsx";
import { Fold } from "#console/ui/fold.tsx";
import { PillChoices } from "#console/ui/pill-choices.tsx";
import { SecretBox } from "#console/ui/secret-box.tsx";
import { Part } from "./part.tsx";

const devices = [
  { value: "mobile", label: "Mobile" },
  { value: "tablet", label: "Tablet" },
  { value: "desktop", label: "Desktop" },
];

export function Fields() {
  const [ticked, setTicked] = useState(true);
  const [choice, setChoice] = useState("a");
  const [pills, setPills] = useState<readonly string[]>(["mobile"]);
  const [chips, setChips] = useState(["spring", "newsletter"]);
  return (
    <Part title="Fields">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="Empty" placeholder="https://example.com/a/long/address" />
        <TextField label="Filled, with a hint" defaultValue="spring-sale" hint="Leave empty for a random slug." />
        <TextField label="Wrong" defaultValue="nonsense" error="Must be an http or https address." />
        <TextField label="Disabled" defaultValue="kurz.example" disabled aside="optional" />
        <SelectField label="One of several" defaultValue="302">
          <option value="302">302 Found</option>
          <option value="301">301 Moved Permanently</option>
        </SelectField>
        <SelectField label="Wrong choice" defaultValue="302" error="Not on this plan.">
          <option value="302">302 Found</option>
        </SelectField>
        <div>
          <CheckRow
            label="A box to tick"
            note="With a word about what it does."
            checked={ticked}
            onChange={setTicked}
          />
          <CheckRow label="Without a note" checked={!ticked} onChange={(value) => setTicked(!value)} />
        </div>
        <ChoiceGroup legend="One of a few" error={choice === "c" ? "Not that one." : undefined}>
          {["a", "b", "c"].map((value) => (
            <CheckRow
              key={value}
              type="radio"
              name="gallery-choice"
              label={`Choice ${value}`}
              checked={choice === value}
              onChange={() => setChoice(value)}
            />
          ))}
        </ChoiceGroup>
        <PillChoices label="Devices" choices={devices} values={pills} onChange={setPills} problem={undefined} />
        <PillChoices label="Devices, wrong" choices={devices} values={[]} onChange={() => {}} problem="Choose one." />
        <ChipBox
          chips={chips.map((value) => ({ value, label: value, removeLabel: `Remove ${value}` }))}
          onRemove={(value) => setChips(chips.filter((chip) => chip !== value))}
          isWrong={false}
        >
          {(input) => (
            <input ref={input} aria-label="Tags" className="min-w-20 grow bg-transparent text-sm outline-none" />
          )}
        </ChipBox>
        <SecretBox label="A secret" value="kurz_0123456789abcdef" />
      </div>
      <Fold title="Closed" summary="nothing set" used={false}>
        <p className="px-4 pb-4">What most people never need.</p>
      </Fold>
      <Fold title="Open" used>
        <p className="px-4 pb-4">Something in it is set.</p>
      </Fold>
    </Part>
  );
}
