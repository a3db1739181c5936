import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface TestCa {
  /** What a client has to trust, in PEM. */
  readonly ca: string;
  /** `names` such as `DNS:hooks.example,IP:127.0.0.1`; negative `days` make one that has expired. */
  issue(names: string, days?: number): Certificate;
  /** A certificate that no authority stands behind. */
  selfSigned(names: string): Certificate;
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** A certificate authority that exists for one test run and that nobody else trusts. */
export function makeTestCa(): TestCa {
  const directory = mkdtempSync(join(tmpdir(), "kurz-ca-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const file = (name: string): string => join(directory, name);
  const openssl = (...args: readonly string[]): void => {
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args], { cwd: directory });
    if (exitCode !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr}`);
  };
  openssl("req", "-x509", ...NEW_KEY, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Kurz test CA", "-days", "2");

  let issued = 0;
  const newFiles = () => {
    issued += 1;
    return { key: `${issued}.key`, request: `${issued}.csr`, cert: `${issued}.pem`, extension: `${issued}.ext` };
  };
  const read = (files: { readonly cert: string; readonly key: string }): Certificate => ({
    cert: readFileSync(file(files.cert), "utf8"),
    key: readFileSync(file(files.key), "utf8"),
  });
  return {
    ca: readFileSync(file("ca.pem"), "utf8"),
    issue(names, days = 2) {
      const { key, request, cert, extension } = newFiles();
      writeFileSync(file(extension), `subjectAltName=${names}\n`);
      openssl("req", ...NEW_KEY, "-keyout", key, "-out", request, "-subj", "/CN=hooks.example");
      const signedBy = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
      openssl("x509", "-req", "-in", request, ...signedBy, "-days", `${days}`, "-extfile", extension, "-out", cert);
      return read({ cert, key });
    },
    selfSigned(names) {
      const { key, cert } = newFiles();
      const subject = ["-subj", "/CN=hooks.example", "-addext", `subjectAltName=${names}`];
      openssl("req", "-x509", ...NEW_KEY, "-keyout", key, "-out", cert, ...subject, "-days", "2");
      return read({ cert, key });
    },
  };
}
