export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Whether mail is configured. */
  readonly isOn: boolean;
  /** Returns at once; failures go to the operator's log. */
  send(mail: Mail): void;
  /** Resolves when all pending mails were sent or failed, or after a few seconds. */
  close(): Promise<void>;
}

export interface MailerOptions {
  /** `null`: no mail is sent. */
  readonly smtpUrl: string | null;
  readonly from: string;
  readonly onProblem: (message: string, error: unknown) => void;
}

const PENDING_MAX = 100;
const TIMEOUT_MS = 20_000;
const CLOSE_MS_MAX = 5000;

/** Plain text over SMTP. The library is loaded with the first mail. */
export function openMailer({ smtpUrl, from, onProblem }: MailerOptions): Mailer {
  const pending = new Set<Promise<void>>();

  const deliver = async (url: string, mail: Mail): Promise<void> => {
    const { createTransport } = await import("nodemailer");
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
    const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
    try {
      await transport.sendMail({ from, ...mail });
    } finally {
      transport.close();
    }
  };

  return {
    isOn: smtpUrl !== null,
    send(mail) {
      if (smtpUrl === null) return;
      if (pending.size >= PENDING_MAX) {
        onProblem("a mail was not sent", `${PENDING_MAX} mails are already being sent`);
        return;
      }
      const sending = deliver(smtpUrl, mail)
        .catch((error: unknown) => onProblem("a mail could not be sent", error))
        .finally(() => pending.delete(sending));
      pending.add(sending);
    },
    async close() {
      await Promise.race([Promise.all(pending), Bun.sleep(CLOSE_MS_MAX)]);
    },
  };
}
