export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text as sent. */
  readonly text: string;
}

interface Conversation {
  buffer: string;
  from: string;
  to: string[];
  isInData: boolean;
}

/** A mail server that accepts and keeps everything (RFC 5321). */
export function startSmtpServer() {
  const mails: ReceivedMail[] = [];
  const server = Bun.listen<Conversation>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { buffer: "", from: "", to: [], isInData: false };
        socket.write("220 test ESMTP\r\n");
      },
      data(socket, chunk) {
        const talk = socket.data;
        talk.buffer += chunk.toString();
        for (let end = endOf(talk); end >= 0; end = endOf(talk)) {
          const part = talk.buffer.slice(0, end);
          talk.buffer = talk.buffer.slice(end + (talk.isInData ? 5 : 2));
          socket.write(`${answer(talk, part, mails)}\r\n`);
        }
      },
    },
  });
  return {
    mails,
    url: `smtp://127.0.0.1:${server.port}`,
    stop: () => server.stop(true),
  };
}

const endOf = ({ buffer, isInData }: Conversation): number => buffer.indexOf(isInData ? "\r\n.\r\n" : "\r\n");

function answer(talk: Conversation, part: string, mails: ReceivedMail[]): string {
  if (talk.isInData) {
    mails.push({ from: talk.from, to: talk.to, text: decodeSoftBreaks(part) });
    Object.assign(talk, { isInData: false, to: [] });
    return "250 kept";
  }
  const address = /<(.*?)>/.exec(part)?.[1] ?? "";
  switch (part.slice(0, 4).toUpperCase()) {
    case "MAIL":
      talk.from = address;
      return "250 ok";
    case "RCPT":
      talk.to.push(address);
      return "250 ok";
    case "DATA":
      talk.isInData = true;
      return "354 go on";
    case "QUIT":
      return "221 bye";
    default:
      return "250 test";
  }
}

/** Long lines are folded in quoted-printable (RFC 2045 §6.7). */
const decodeSoftBreaks = (text: string): string =>
  text
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
