import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { type Api, newLink, startApi } from "#test/support/api-client.ts";
import { newVirtualPython, PYTHON_CLIENT, PYTHON_PROGRAM, runProgram } from "#test/support/python.ts";
import { removeAtExit } from "#test/support/remove-at-exit.ts";
import { until } from "#test/support/until.ts";
import { loopbackWebhooks, type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";

setDefaultTimeout(600_000);

const PYRIGHT = join(import.meta.dir, "..", "..", "node_modules", ".bin", "pyright");
const newDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "kurz-python-"));
  removeAtExit(directory);
  return directory;
};

let api: Api;
let receiver: Receiver;
/** A Python with the client, as its users install it. */
let python: string;
let wheel: string;

const build = async (): Promise<string> => {
  const directory = newDirectory();
  expect(await runProgram([PYTHON_PROGRAM, "build.py", directory])).toMatchObject({ code: 0 });
  return directory;
};

beforeAll(async () => {
  [api, python] = await Promise.all([startApi(loopbackWebhooks), newVirtualPython()]);
  receiver = startReceiver();
  const directory = await build();
  wheel = join(directory, readdirSync(directory).find((name) => name.endsWith(".whl")) ?? "");
  const install = ["-m", "pip", "install", "--no-index", "--disable-pip-version-check", wheel];
  expect(await runProgram([python, ...install])).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await receiver.stop();
  await api.stop();
});

const deliveryOf = (body: string, headers: Readonly<Record<string, string>>, secret: string) => ({
  body: Buffer.from(body).toString("base64"),
  headers,
  secret,
});

function standardDelivery(body: string, secret: string) {
  const at = new Date();
  const signature = new Webhook(secret).sign("msg_1", at, body);
  const seconds = String(Math.floor(at.getTime() / 1000));
  return deliveryOf(
    body,
    { "webhook-id": "msg_1", "webhook-timestamp": seconds, "webhook-signature": signature },
    secret,
  );
}

test("the client's own tests pass, installed from its wheel, against this server and its deliveries", async () => {
  const { account, token, kurz } = await api.newCaller();
  const { secret } = await api.operator.newEndpoint(account, receiver.url);
  const { id } = await newLink(kurz, { title: "Grüße 🔗" });
  await kurz.links.pause(id);
  await until("two deliveries arrived", () => receiver.hits.length >= 2);
  const hits = receiver.hits.map(({ body, headers }) =>
    deliveryOf(body.toString(), Object.fromEntries(headers), secret),
  );
  await kurz.webhooks.list().then((all) => Promise.all(all.map((endpoint) => kurz.webhooks.delete(endpoint.id))));
  const event = '{"id":"evt_1","type":"link.created"}';
  const otherSecret = `whsec_${Buffer.from("another secret of 32 bytes length").toString("base64")}`;
  const { code, output } = await runProgram([python, "-I", "-m", "unittest", "discover", "-s", "tests", "-t", "."], {
    env: {
      KURZ_URL: api.server.url,
      KURZ_TOKEN: token,
      KURZ_DELIVERIES: JSON.stringify(hits),
      KURZ_STANDARD_DELIVERIES: JSON.stringify([
        standardDelivery(event, secret),
        standardDelivery(event.replace("evt_1", "evt_ä"), otherSecret),
      ]),
    },
  });
  expect(code, output).toBe(0);
  expect(Number(/^Ran (\d+) tests/m.exec(output)?.[1])).toBeGreaterThan(25);
  expect(output).not.toContain("skipped");
});

test("the same sources give the same files, with everything that belongs to them", async () => {
  const [first, second] = [await build(), await build()];
  const names = readdirSync(first).toSorted();
  expect(names).toEqual([
    expect.stringMatching(/^kurz-[\d.]+-py3-none-any\.whl$/),
    expect.stringMatching(/^kurz-[\d.]+\.tar\.gz$/),
  ]);
  for (const name of names) expect(readFileSync(join(first, name)).equals(readFileSync(join(second, name)))).toBe(true);
  const { output } = await runProgram([python, "-m", "zipfile", "-l", wheel]);
  for (const part of ["kurz/py.typed", "kurz/types.py", "METADATA", "RECORD", "licenses/LICENSE"]) {
    expect(output).toContain(part);
  }
  const shown = await runProgram([python, "-m", "pip", "show", "--disable-pip-version-check", "-f", "kurz"]);
  expect(shown.output).toMatch(/^Name: kurz$/m);
});

test("its version is that of Kurz", async () => {
  const { version } = (await Bun.file(join(PYTHON_CLIENT, "..", "package.json")).json()) as { version: string };
  const { output } = await runProgram([python, "-I", "-c", "import kurz; print(kurz.__version__)"]);
  expect(output.trim()).toBe(version);
  expect(wheel).toContain(`-${version}-`);
});

test("types are right for a strict checker, in Python 3.9 too, and so are the README's examples", async () => {
  const directory = newDirectory();
  const readme = readFileSync(join(PYTHON_CLIENT, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  expect(blocks.length).toBe(3);
  await Promise.all(blocks.map((code, index) => Bun.write(join(directory, `example${index}.py`), code)));
  const wrong = [
    "from kurz import Kurz",
    'link = Kurz("", "").links.create({"destination": "x"})',
    'link["slugg"] = "x"',
  ];
  await Bun.write(join(directory, "wrong.py"), `${wrong.join("\n")}\n`);
  const settings = { typeCheckingMode: "strict", pythonVersion: "3.9", extraPaths: [join(PYTHON_CLIENT, "src")] };
  await Bun.write(join(directory, "pyrightconfig.json"), JSON.stringify(settings));
  const [own, examples] = [
    await runProgram([PYRIGHT, "--warnings"]),
    await runProgram([PYRIGHT, "--warnings", "--outputjson"], { cwd: directory }),
  ];
  expect(own.code, own.output).toBe(0);
  const { generalDiagnostics } = JSON.parse(examples.output) as {
    generalDiagnostics: { file: string; message: string }[];
  };
  const found = generalDiagnostics.map(({ file, message }) => `${file.slice(directory.length + 1)}: ${message}`);
  // The rule that a mistake breaks has changed with the checker's versions, so its words identify it.
  expect(found).toEqual([
    expect.stringMatching(/^wrong\.py: .*"destination" is an undefined item in type "LinkCreate"/s),
    expect.stringMatching(/^wrong\.py: .*"slugg" is not a defined key in "Link"/s),
  ]);
});
