import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { CallError, newIdempotencyKey } from "#console/api/call.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { toast } from "#console/ui/toast.tsx";
import type { Link } from "#contract/link-record.ts";
import { createLink, getLink, updateLink } from "#contract/links.ts";
import { errorTexts } from "#texts/errors.ts";
import { linkFormTexts as texts } from "#texts/link-form.ts";
import { addLink, putLink, refreshLists } from "./link-cache.ts";
import {
  changedFields,
  type FieldProblems,
  findProblems,
  type LinkField,
  type LinkValues,
  mergeValues,
  toCreate,
  toPatch,
  valuesOf,
} from "./link-form-values.ts";
import { followRules } from "./rules/rule-marks.ts";

/** What someone else saved while the form was open. */
export interface Conflict {
  readonly link: Link;
  readonly before: Link;
  /** Changed by them alone: taken over. */
  readonly theirs: readonly LinkField[];
  /** Changed by both: the form still holds one's own. */
  readonly clashes: readonly LinkField[];
}

interface FormOptions {
  /** What a new link begins with. */
  readonly start: LinkValues;
  readonly onCreated: ((link: Link) => void) | undefined;
  readonly onDone: () => void;
}

/** The state of the form for a new link (`null`) or one that exists. */
export function useLinkForm(link: Link | null, { start, onCreated, onDone }: FormOptions) {
  const { account, state, call } = useWorkspace();
  const client = useQueryClient();
  const [base, setBase] = useState(link);
  const [startValues, setStartValues] = useState(start);
  const [values, setValues] = useState<LinkValues>(link ? valuesOf(link) : startValues);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<FieldProblems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const isOpen = useIsMounted();
  const attempt = useRef({ body: "", key: "" });

  const baseValues = base ? valuesOf(base) : startValues;
  const isDirty = changedFields(baseValues, values).length > 0;
  const ownHosts = useMemo(() => [state.short_domain, new URL(state.base_url).host], [state]);
  const problems = findProblems(values, ownHosts, base ? baseValues : null);

  // A newer version that arrives before anything was typed is simply shown.
  useEffect(() => {
    if (!link || !base || link.version === base.version || isDirty) return;
    setBase(link);
    setValues(valuesOf(link));
  }, [link, base, isDirty]);

  /** What is wrong with one rule is no news about another that takes its place. */
  const keepMarks = (after: LinkValues): void => setTouched((before) => followRules(before, values.rules, after.rules));

  function change<F extends LinkField>(field: F, value: LinkValues[F]): void {
    if (field === "rules") keepMarks({ ...values, [field]: value });
    setValues((before) => ({ ...before, [field]: value }));
    setFailure(null);
    setRefused((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name.split(".")[0] !== field)));
  }

  /** Nothing that the person has entered, and would lose. */
  function suggestTitle(title: string): void {
    setStartValues((before) => ({ ...before, title }));
    change("title", title);
  }

  const touch = (field: string): void => setTouched((before) => new Set(before).add(field));

  /** What is wrong with a field, once it has been left or sent. */
  const problemOf = (field: string): string | undefined =>
    refused[field] ?? (touched.has(field) ? problems[field] : undefined);

  /** What is wrong with one of its parts, however deep, as the API names them. */
  const problemUnder = (field: string): string | undefined => {
    const isPart = (name: string): boolean => name === field || name.startsWith(`${field}.`);
    const shown = Object.entries(problems).filter(([name]) => touched.has(name));
    return [...Object.entries(refused), ...shown].find(([name]) => isPart(name))?.[1];
  };

  async function save(): Promise<void> {
    if (!base) {
      const body = toCreate(values);
      const text = JSON.stringify(body);
      // One key for one and the same body: a second try cannot make a second link.
      if (attempt.current.body !== text) attempt.current = { body: text, key: newIdempotencyKey() };
      const made = await call(createLink, { body, idempotencyKey: attempt.current.key });
      addLink(client, account.id, made);
      void client.invalidateQueries({ queryKey: ["tags", account.id] });
      onCreated?.(made);
      return;
    }
    const body = toPatch(baseValues, values);
    const saved = await call(updateLink, { params: { id: base.id }, body, ifMatch: base.version });
    putLink(client, account.id, saved);
    refreshLists(client, account.id, [saved.id], "edited");
    if (body.tags) void client.invalidateQueries({ queryKey: ["tags", account.id] });
    toast(texts.saved(saved.slug));
  }

  async function meetConflict(before: Link): Promise<void> {
    const now = await call(getLink, { params: { id: before.id } });
    putLink(client, account.id, now);
    const merged = mergeValues(valuesOf(before), values, valuesOf(now));
    setBase(now);
    keepMarks(merged.values);
    setValues(merged.values);
    setConflict({ link: now, before, theirs: merged.theirs, clashes: merged.clashes });
  }

  async function submit(): Promise<void> {
    // Only what is wrong now: what is added later is no problem before it was filled in.
    setTouched((before) => new Set([...before, ...Object.keys(problems)]));
    if (Object.keys(problems).length > 0 || running.current) return;
    // State is too slow for a second click in the same moment.
    running.current = true;
    setBusy(true);
    setFailure(null);
    try {
      await save();
      if (isOpen.current) onDone();
    } catch (error) {
      await explain(error).catch(() => setFailure(errorTexts.offline));
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  async function explain(error: unknown): Promise<void> {
    if (!(error instanceof CallError)) throw error;
    if (error.code === "precondition_failed" && base) return meetConflict(base);
    const known: Readonly<Record<string, string>> = Object.fromEntries(
      error.fieldErrors.map(({ field, message }) => [field, message]),
    );
    if (error.code === "slug_taken") setRefused({ slug: error.message });
    else if (error.code === "external_id_taken") setRefused({ external_id: texts.problems.externalId });
    else if (error.code === "domain_not_verified") setRefused({ domain: error.message });
    else if (error.code === "destination_blocked") setRefused({ destination_url: error.message });
    else if (Object.keys(known).length > 0) setRefused(known);
    else setFailure(error.message);
  }

  return {
    base,
    values,
    problems,
    change,
    suggestTitle,
    touch,
    problemOf,
    problemUnder,
    submit,
    busy,
    failure,
    conflict,
    setConflict,
    isDirty,
    ownHosts,
  };
}
export type LinkFormState = ReturnType<typeof useLinkForm>;

/** An answer may come when the form is gone, and its reader elsewhere. */
function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
