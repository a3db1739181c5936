import { useWorkspace } from "#console/api/session.tsx";
import { NameForm } from "#console/settings/name-form.tsx";
import { useRenamePerson } from "#console/settings/use-rename.ts";
import { Section } from "#console/ui/section.tsx";
import { securityTexts as texts } from "#texts/security.ts";
import { ssoTexts } from "#texts/sso.ts";
import { DeleteUserSection } from "./delete-user-section.tsx";
import { EmailForm } from "./email-form.tsx";
import { PasskeySection } from "./passkey-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { SessionSection } from "./session-section.tsx";
import { TwoFactorSection } from "./two-factor-section.tsx";

/** What concerns the person, in every account. */
export function SecurityTab() {
  const { state } = useWorkspace();
  const { session, sso, sends_mail } = state;
  const { user } = session;
  const rename = useRenamePerson();
  const howToSet = sends_mail ? ssoTexts.noPassword : ssoTexts.noPasswordNorMail;
  return (
    <>
      <Section title={texts.you} note={user.email}>
        <NameForm label={texts.yourName} name={user.name} change={rename} />
        <EmailForm />
      </Section>
      <div id="password" className="scroll-mt-6">
        {session.has_password || !sso ? (
          <PasswordSection />
        ) : (
          <Section title={texts.password} note={howToSet(sso.name)} />
        )}
      </div>
      <TwoFactorSection />
      <PasskeySection />
      <SessionSection />
      <DeleteUserSection />
    </>
  );
}
