import { Button } from "#console/ui/button.tsx";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { type ChosenEvent, chosenEvents, defaultEvents } from "#contract/webhooks.ts";
import { webhookTexts } from "#texts/webhooks.ts";

const texts = webhookTexts.form;

const groups: readonly { readonly name: keyof typeof texts.groups; readonly events: readonly ChosenEvent[] }[] = [
  { name: "links", events: ["link.created", "link.updated", "link.deleted", "link.restored"] },
  {
    name: "states",
    events: [
      "link.paused",
      "link.resumed",
      "link.archived",
      "link.unarchived",
      "link.blocked",
      "link.unblocked",
      "link.expired",
      "link.exhausted",
    ],
  },
  { name: "clicks", events: ["link.clicked"] },
  { name: "domains", events: ["domain.verified", "domain.lost"] },
];

interface EventChoiceProps {
  readonly events: readonly ChosenEvent[];
  readonly onChange: (events: readonly ChosenEvent[]) => void;
  readonly error?: string | undefined;
}

export function EventChoice({ events, onChange, error }: EventChoiceProps) {
  const choose = (event: ChosenEvent, on: boolean) =>
    onChange(chosenEvents.filter((one) => (one === event ? on : events.includes(one))));
  return (
    <ChoiceGroup legend={texts.events} error={events.length === 0 ? texts.noEvents : error}>
      <div className="mb-2 flex flex-wrap gap-2">
        <Button size="small" onClick={() => onChange(defaultEvents)}>
          {texts.everyChange}
        </Button>
        <Button size="small" onClick={() => onChange(chosenEvents)}>
          {texts.withClicks}
        </Button>
        <Button size="small" look="quiet" onClick={() => onChange([])}>
          {texts.noneChosen}
        </Button>
      </div>
      <div className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-2">
        {groups.map((group) => (
          <fieldset key={group.name}>
            <legend className="pt-1 text-xs font-medium tracking-wide text-faint uppercase">
              {texts.groups[group.name]}
            </legend>
            {group.events.map((event) => (
              <CheckRow
                key={event}
                label={<span className="font-mono text-[0.8125rem]">{event}</span>}
                note={texts.summaries[event]}
                checked={events.includes(event)}
                onChange={(on) => choose(event, on)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </ChoiceGroup>
  );
}
