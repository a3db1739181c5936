import { chooseLanguage, languageNames } from "#console/app/language-choice.ts";
import { consoleLanguages } from "#shared/console-languages.ts";
import { gateTexts as texts } from "#texts/gate.ts";
import { language } from "#texts/language.ts";

/** For people who aren't signed in yet; everyone else finds it in their settings. */
export const LanguageChooser = () => (
  <nav aria-label={texts.language} className="mt-6 text-sm">
    <ul className="flex flex-wrap justify-center">
      {consoleLanguages.map((offered) => (
        <li key={offered} className="not-first:before:text-faint not-first:before:content-['·']">
          <button
            type="button"
            lang={offered}
            aria-current={offered === language || undefined}
            className="rounded-md px-2 py-1 text-soft hover:text-text aria-[current]:font-medium aria-[current]:text-text"
            onClick={() => chooseLanguage(offered)}
          >
            {languageNames[offered]}
          </button>
        </li>
      ))}
    </ul>
  </nav>
);
