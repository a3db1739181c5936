import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface TestCa {
  /** The certificate that a client has to trust, in PEM. */
  readonly ca: string;
  /** `names` such as `DNS:hooks.example,IP:127.0.0.1`; negative `days` for an expired one. */
  issue(names: string, days?: number): Certificate;
  /** A certificate without an authority. */
  selfSigned(names: string): Certificate;
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const OUTPUT = ["-keyout", "key.pem", "-out", "cert.pem"];
const SUBJECT = ["-subj", "/CN=hooks.example"];

/** A certificate authority for one test run that nobody else trusts. */
export function makeTestCa(): TestCa {
  const authority = withOpenSsl(({ openssl }) => {
    openssl("req", "-x509", ...NEW_KEY, ...OUTPUT, "-subj", "/CN=Kurz test CA", "-days", "2");
  });
  return {
    ca: authority.cert,
    issue: (names, days = 2) =>
      withOpenSsl(({ openssl, write }) => {
        write({ "ca.pem": authority.cert, "ca.key": authority.key, extension: `subjectAltName=${names}\n` });
        openssl("req", ...NEW_KEY, "-keyout", "key.pem", "-out", "request.pem", ...SUBJECT);
        const signedBy = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
        const validity = ["-days", `${days}`, "-extfile", "extension"];
        openssl("x509", "-req", "-in", "request.pem", ...signedBy, ...validity, "-out", "cert.pem");
      }),
    selfSigned: (names) =>
      withOpenSsl(({ openssl }) => {
        const extension = ["-addext", `subjectAltName=${names}`];
        openssl("req", "-x509", ...NEW_KEY, ...OUTPUT, ...SUBJECT, ...extension, "-days", "2");
      }),
  };
}

interface OpenSsl {
  openssl(...args: readonly string[]): void;
  write(texts: Readonly<Record<string, string>>): void;
}

/** Returns the certificate that openssl creates, through temporary files. */
function withOpenSsl(make: (tools: OpenSsl) => void): Certificate {
  const directory = mkdtempSync(join(tmpdir(), "kurz-ca-"));
  try {
    make({
      openssl(...args) {
        const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args], { cwd: directory });
        if (exitCode !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr}`);
      },
      write(texts) {
        for (const [name, text] of Object.entries(texts)) writeFileSync(join(directory, name), text);
      },
    });
    return {
      cert: readFileSync(join(directory, "cert.pem"), "utf8"),
      key: readFileSync(join(directory, "key.pem"), "utf8"),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
