import { useWorkspace } from "#console/api/session.tsx";
import { SecretBox } from "#console/ui/secret-box.tsx";
import { demoTexts as texts } from "#texts/demo.ts";

/** The token that everyone in the demo uses, since nobody can create one there. */
export function DemoToken() {
  const { demo } = useWorkspace().state;
  return demo && <SecretBox label={texts.sharedToken} what={texts.token} value={demo.token} />;
}
