import { forgetPassword } from "#contract/console/session.ts";
import { type ConsoleServer, startConsole } from "./console-client.ts";
import { type ReceivedMail, startSmtpServer } from "./smtp-server.ts";
import { until } from "./until.ts";

export interface ConsoleWithMail extends ConsoleServer {
  /** Every mail sent so far. */
  readonly mails: readonly ReceivedMail[];
  /** The token in the link that is mailed to someone who forgot their password. */
  askForReset(email: string, asTyped?: string): Promise<string>;
}

/** A console with a mail server. */
export async function startConsoleWithMail(env: Readonly<Record<string, string>> = {}): Promise<ConsoleWithMail> {
  const { mails, url, stop } = startSmtpServer();
  const site = await startConsole({ KURZ_SMTP_URL: url, ...env });
  return {
    ...site,
    mails,
    async askForReset(email, asTyped = email) {
      const sentBefore = mails.length;
      await site.guest().do(forgetPassword, { body: { email: asTyped } });
      const findMail = () => mails.slice(sentBefore).find(({ to }) => to.includes(email));
      await until("the mail has arrived", () => findMail() !== undefined);
      return /\/console\/reset\/(\w+)/.exec(findMail()?.text ?? "")?.[1] ?? "";
    },
    async stop() {
      await site.stop();
      stop();
    },
  };
}
