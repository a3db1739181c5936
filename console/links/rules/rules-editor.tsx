import { Plus } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { RULES_MAX } from "#contract/rules.ts";
import { ruleTexts as texts } from "#texts/rules.ts";
import { uiTexts } from "#texts/ui.ts";
import { RuleCard } from "./rule-card.tsx";
import { nameGiven, newRule, type RuleValues } from "./rule-values.ts";

interface RulesEditorProps {
  readonly rules: readonly RuleValues[];
  readonly onChange: (rules: readonly RuleValues[]) => void;
  readonly complete: (address: string) => string;
  readonly problemUnder: (field: string) => string | undefined;
}

/** The rules of a link, in the order in which they are tried. */
export function RulesEditor({ rules, onChange, complete, problemUnder }: RulesEditorProps) {
  const list = useRef<HTMLOListElement>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const [news, setNews] = useState("");
  const moved = useRef<{ readonly key: string; readonly step: number } | null>(null);
  // In the form itself: while a dialog is open, a notice outside of it can't be clicked.
  const [removed, setRemoved] = useState<{ readonly rule: RuleValues; readonly index: number } | null>(null);

  // A browser takes the focus from what moves on the page.
  useLayoutEffect(() => {
    if (!moved.current) return;
    const { key, step } = moved.current;
    moved.current = null;
    const card = list.current?.querySelector(`[data-rule="${CSS.escape(key)}"]`);
    card?.querySelector<HTMLElement>(`[data-move="${step}"]`)?.focus();
  });
  useEffect(() => {
    if (opened === null) return;
    const card = list.current?.querySelector(`[data-rule="${CSS.escape(opened)}"]`);
    card?.querySelector<HTMLElement>("[aria-haspopup=menu]")?.focus({ preventScroll: true });
    // All of it, as its address is below its conditions.
    card?.scrollIntoView({ block: "nearest" });
  }, [opened]);

  function move(index: number, step: -1 | 1): void {
    const next = [...rules];
    const [rule] = next.splice(index, 1);
    if (!rule) return;
    next.splice(index + step, 0, rule);
    moved.current = { key: rule.key, step };
    setNews(texts.moved(index + step + 1, rules.length));
    onChange(next);
  }

  function add(): void {
    const rule = newRule();
    setOpened(rule.key);
    onChange([...rules, rule]);
  }

  const catchAll = rules.findIndex(({ conditions }) => conditions.length === 0);
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
      <p className="text-sm text-soft">{rules.length === 0 ? texts.none : texts.order}</p>
      {rules.length > 0 && (
        <ol ref={list} aria-label={texts.list} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
          {rules.map((rule, index) => (
            <RuleCard
              key={rule.key}
              rule={rule}
              index={index}
              total={rules.length}
              nameGiven={nameGiven(rules, index, "rule")}
              startsOpen={rule.key === opened}
              onChange={(next) => onChange(rules.map((other) => (other.key === rule.key ? next : other)))}
              onMove={(step) => move(index, step)}
              onRemove={() => {
                setRemoved({ rule, index });
                onChange(rules.filter((other) => other !== rule));
              }}
              complete={complete}
              problemUnder={problemUnder}
            />
          ))}
        </ol>
      )}
      {removed && (
        <p className="flex items-center gap-2 text-sm">
          <span role="status">{texts.deleted(removed.index + 1)}</span>
          <Button
            key={removed.rule.key}
            size="small"
            autoFocus
            onClick={() => {
              onChange(rules.toSpliced(removed.index, 0, removed.rule));
              moved.current = { key: removed.rule.key, step: -1 };
              setRemoved(null);
            }}
          >
            {uiTexts.undo}
          </Button>
        </p>
      )}
      {catchAll !== -1 && catchAll < rules.length - 1 && (
        <p className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">{texts.unreachable(catchAll + 1)}</p>
      )}
      <span role="status" className="sr-only">
        {news}
      </span>
      <Button
        size="small"
        className="justify-self-start"
        data-add-rule
        onClick={add}
        disabled={rules.length >= RULES_MAX}
      >
        <Plus className="size-4" aria-hidden />
        {texts.add}
      </Button>
    </div>
  );
}
