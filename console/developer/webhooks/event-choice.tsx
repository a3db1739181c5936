import { Button } from "#console/ui/button.tsx";
import { CheckRow, ChoiceGroup } from "#console/ui/check-row.tsx";
import { type ChosenEvent, chosenEvents, defaultEvents, webhookEvents } from "#contract/webhooks.ts";

const groups: readonly { readonly label: string; readonly events: readonly ChosenEvent[] }[] = [
  { label: "Links", events: ["link.created", "link.updated", "link.deleted", "link.restored"] },
  { label: "States", events: ["link.paused", "link.resumed", "link.archived", "link.unarchived", "link.blocked"] },
  { label: "Clicks", events: ["link.clicked"] },
  { label: "Domains", events: ["domain.verified", "domain.lost"] },
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
    <ChoiceGroup legend="Events" error={events.length === 0 ? "Choose at least one event." : error}>
      <div className="mb-2 flex flex-wrap gap-2">
        <Button size="small" onClick={() => onChange(defaultEvents)}>
          Every change
        </Button>
        <Button size="small" onClick={() => onChange(chosenEvents)}>
          Changes and clicks
        </Button>
        <Button size="small" look="quiet" onClick={() => onChange([])}>
          None
        </Button>
      </div>
      <div className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-2">
        {groups.map((group) => (
          <fieldset key={group.label}>
            <legend className="pt-1 text-xs font-medium tracking-wide text-faint uppercase">{group.label}</legend>
            {group.events.map((event) => (
              <CheckRow
                key={event}
                label={<span className="font-mono text-[0.8125rem]">{event}</span>}
                note={webhookEvents[event].summary}
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
