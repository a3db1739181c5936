import { buttonClasses } from "#console/ui/button.tsx";
import { Filled } from "#console/ui/filled.tsx";
import { gateTexts as texts } from "#texts/gate.ts";

/** Shown in place of forms that could not be sent: the server takes them from its own address alone. */
export function WrongAddress({ expected }: { readonly expected: string }) {
  const { origin, pathname, search } = window.location;
  return (
    <div className="flex flex-col gap-4">
      <p>
        <Filled
          text={texts.opened}
          parts={{
            opened: <strong className="font-medium break-all">{origin}</strong>,
            expected: <strong className="font-medium break-all">{expected}</strong>,
          }}
        />
      </p>
      <a href={`${expected}${pathname}${search}`} className={buttonClasses({ look: "primary" })}>
        {texts.goThere}
      </a>
      <p className="text-sm text-soft">
        <Filled
          text={texts.operator}
          parts={{ setting: <code className="font-mono break-all">KURZ_BASE_URL={origin}</code> }}
        />
      </p>
    </div>
  );
}
