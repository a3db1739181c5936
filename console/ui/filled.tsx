import { createElement, Fragment, type ReactNode } from "react";

interface FilledProps {
  /** With holes, as in "Press {key} to search." */
  readonly text: string;
  readonly parts: Readonly<Record<string, ReactNode>>;
}

/** A sentence with markup in it. */
export function Filled({ text, parts }: FilledProps) {
  const filled = text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : parts[part]));
  return createElement(Fragment, null, ...filled);
}
