import { Part, Row } from "./part.tsx";

// Whole names, since a utility is only generated for a name that is written out.
const colours = [
  "bg-page",
  "bg-card",
  "bg-sunken",
  "bg-hover",
  "bg-active",
  "bg-line",
  "bg-line-strong",
  "bg-faint",
  "bg-soft",
  "bg-text",
  "bg-accent",
  "bg-accent-soft",
  "bg-accent-fill",
  "bg-accent-fill-hover",
  "bg-good",
  "bg-good-soft",
  "bg-warn",
  "bg-warn-soft",
  "bg-bad",
  "bg-bad-soft",
];
const sizes = ["text-xs", "text-sm", "text-base", "text-lg", "text-xl", "text-2xl", "text-3xl"];
const weights = ["font-normal", "font-medium", "font-semibold", "font-bold"];
const radii = ["rounded-md", "rounded-lg", "rounded-xl", "rounded-2xl", "rounded-full"];
const shadows = ["shadow-card", "shadow-raised", "shadow-float"];

export const Tokens = () => (
  <Part title="Tokens">
    <Row title="Colours">
      {colours.map((name) => (
        <figure key={name} className="w-32">
          <div className={`h-10 rounded-lg border border-line ${name}`} />
          <figcaption className="mt-1 text-xs text-soft">{name.slice(3)}</figcaption>
        </figure>
      ))}
    </Row>
    <div className="grid gap-1">
      {sizes.map((name) => (
        <p key={name} className={`truncate ${name}`}>
          {name}: Kurz makes long addresses short, 0123456789
        </p>
      ))}
      <p>The body: 14 pixels, for everything without a size of its own</p>
    </div>
    <Row title="Weights">
      {weights.map((name) => (
        <span key={name} className={name}>
          {name}
        </span>
      ))}
    </Row>
    <Row title="Corners">
      {radii.map((name) => (
        <span
          key={name}
          className={`flex h-12 w-28 items-center justify-center border border-line-strong bg-card text-xs ${name}`}
        >
          {name}
        </span>
      ))}
    </Row>
    <Row title="Shadows">
      {shadows.map((name) => (
        <span
          key={name}
          className={`flex h-16 w-36 items-center justify-center rounded-xl border border-line bg-card text-xs ${name}`}
        >
          {name}
        </span>
      ))}
    </Row>
  </Part>
);
