/** A name server on loopback that knows the TXT records it is given, and nothing else. */
export interface DnsServer {
  /** As in `KURZ_DNS_SERVERS`. */
  readonly address: string;
  /** The names that were asked for, in order. */
  readonly questions: readonly string[];
  set(name: string, ...values: string[]): void;
  /** Until `set` is called with some records, questions about the name fail in this way. */
  fail(name: string, how: keyof typeof RESPONSE_CODES | "silence"): void;
  stop(): void;
}

const RESPONSE_CODES = { noData: 0, serverFailure: 2, noSuchName: 3, refused: 5 } as const;
const HEADER_BYTES = 12;
const TXT = 16;
const IN = 1;
const TEXT_BYTES_MAX = 255;

export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, readonly string[]>();
  const failures = new Map<string, keyof typeof RESPONSE_CODES | "silence">();
  const questions: string[] = [];
  const socket = await Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: {
      data(self, message, port, address) {
        const { name, end } = readName(message);
        questions.push(name);
        const failure = failures.get(name);
        if (failure === "silence") return;
        const values = message.readUInt16BE(end) === TXT ? (records.get(name) ?? []) : [];
        const code = RESPONSE_CODES[failure ?? (records.has(name) ? "noData" : "noSuchName")];
        self.send(answer(message.subarray(0, end + 4), values, code), port, address);
      },
    },
  });
  return {
    address: `127.0.0.1:${socket.port}`,
    questions,
    set(name, ...values) {
      failures.delete(name);
      if (values.length > 0) records.set(name, values);
      else records.delete(name);
    },
    fail: (name, how) => void failures.set(name, how),
    stop: () => socket.close(),
  };
}

/** RFC 1035 §4.1.2: labels after their lengths, up to an empty one. */
function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

function answer(question: Buffer, values: readonly string[], code: number): Buffer {
  const head = Buffer.from(question);
  // A response, recursion available.
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(values.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...values.map(textRecord)]);
}

/** Long values are several texts in one record (RFC 1035 §3.3.14). */
function textRecord(value: string): Buffer {
  const bytes = Buffer.from(value);
  const texts: Buffer[] = [];
  for (let at = 0; at < Math.max(1, bytes.length); at += TEXT_BYTES_MAX) {
    const text = bytes.subarray(at, at + TEXT_BYTES_MAX);
    texts.push(Buffer.from([text.length]), text);
  }
  const data = Buffer.concat(texts);
  const record = Buffer.alloc(12);
  // The name is that of the question.
  record.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  record.writeUInt16BE(TXT, 2);
  record.writeUInt16BE(IN, 4);
  record.writeUInt32BE(0, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}
