import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { conditionFields } from "./rule-values.ts";
import { unknownVisitor, VisitorFields } from "./visitor-fields.tsx";

test("what is wrong with the visitor is said at its field, whichever it is", () => {
  for (const field of Object.keys(unknownVisitor)) {
    const html = renderToStaticMarkup(
      <VisitorFields
        visitor={unknownVisitor}
        asked={new Set(conditionFields)}
        hasPath
        onChange={() => {}}
        problems={{ [field]: "This is wrong." }}
      />,
    );
    const wrong = /<(?:input|select)[^>]* aria-invalid="true"[^>]*>/g;
    const described = [...html.matchAll(wrong)].map(([tag]) => /aria-describedby="([^"]+)"/.exec(tag)?.[1]);
    expect([field, described.length]).toEqual([field, 1]);
    expect(html).toMatch(new RegExp(`id="${described[0]}"[^>]*>This is wrong\\.<`));
  }
});
