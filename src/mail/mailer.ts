export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Whether mails leave at all. */
  readonly isOn: boolean;
  /** Returns at once; a mail that cannot be sent is told to the operator and holds nobody up. */
  send(mail: Mail): void;
  /** Ends when the mails under way have left or failed, or after some seconds. */
  close(): Promise<void>;
}

export interface MailerOptions {
  /** `null`: no mail is sent. */
  readonly smtpUrl: string | null;
  readonly from: string;
  readonly onProblem: (message: string, error: unknown) => void;
}

const UNDER_WAY_MAX = 100;
const TIMEOUT_MS = 20_000;
const CLOSE_MS_MAX = 5000;

/** Plain text over SMTP. The library is loaded with the first mail. */
export function openMailer({ smtpUrl, from, onProblem }: MailerOptions): Mailer {
  const underWay = new Set<Promise<void>>();

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
      if (underWay.size >= UNDER_WAY_MAX) {
        onProblem("a mail was not sent", `${UNDER_WAY_MAX} mails are under way already`);
        return;
      }
      const sending = deliver(smtpUrl, mail)
        .catch((error: unknown) => onProblem("a mail could not be sent", error))
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    async close() {
      await Promise.race([Promise.all(underWay), Bun.sleep(CLOSE_MS_MAX)]);
    },
  };
}
