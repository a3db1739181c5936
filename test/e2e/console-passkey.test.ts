import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, CDPSession, Page } from "playwright-core";
import { addPasskey, listPasskeys, removePasskey, startPasskey } from "#contract/console/user.ts";
import { launchWholeBrowser, openWatchedPage, type WatchedPage } from "#test/support/browser.ts";
import { type ConsoleServer, OWNER_EMAIL, PASSWORD, startConsole } from "#test/support/console-client.ts";

/** For a server and a browser, on a busy machine. */
const START_MS_MAX = 600_000;

let console: ConsoleServer;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let devices: CDPSession;

beforeAll(async () => {
  console = await startConsole();
  browser = await launchWholeBrowser();
  watched = await openWatchedPage(browser);
  ({ page } = watched);
  devices = await page.context().newCDPSession(page);
  await devices.send("WebAuthn.enable");
}, START_MS_MAX);
afterAll(async () => {
  await browser.close();
  await console.stop();
}, START_MS_MAX);

/** A built-in authenticator that can or can't verify its user. */
const plugIn = async (checksUser: boolean): Promise<string> => {
  const { authenticatorId } = await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: checksUser,
      isUserVerified: checksUser,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
};

const signInByPassword = async (): Promise<void> => {
  await page.goto(`${console.url}/console/sign-in`);
  await page.getByLabel("E-mail address").fill(OWNER_EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/console\/a\//);
};

const signOut = (): Promise<unknown> => ask("POST", "/console/api/sign-out");

/** Sends a request from within the page, as the page itself would. */
const ask = (method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> =>
  page.evaluate(
    `(async () => {
      const response = await fetch(${JSON.stringify(path)}, {
        method: ${JSON.stringify(method)},
        headers: { "content-type": "application/json" },
        ${body === undefined ? "" : `body: ${JSON.stringify(JSON.stringify(body))},`}
      });
      return { status: response.status, body: response.status === 204 ? null : await response.json() };
    })()`,
  );

interface Asked {
  /** `discouraged`: a page that ignores what the server told it to ask for. */
  readonly userVerification?: "required" | "discouraged";
}

async function registerPasskey(name: string, { userVerification = "required" }: Asked = {}) {
  const { body } = await ask(startPasskey.method, startPasskey.path, {});
  expect(body).toMatchObject({ authenticatorSelection: { userVerification: "required" }, rp: { id: "localhost" } });
  const told = body as { authenticatorSelection: object };
  const options = { ...told, authenticatorSelection: { ...told.authenticatorSelection, userVerification } };
  const response = await page.evaluate(
    `(async () => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)});
      return (await navigator.credentials.create({ publicKey })).toJSON();
    })()`,
  );
  return ask(addPasskey.method, addPasskey.path, { name, response });
}

test("a passkey is added, signs its owner in, and no longer does once it is removed", async () => {
  const key = await plugIn(true);
  await signInByPassword();
  expect(await registerPasskey("Laptop")).toMatchObject({ status: 201, body: { name: "Laptop" } });
  const listed = await ask(listPasskeys.method, listPasskeys.path);
  const { data } = listed.body as { data: { id: string; name: string }[] };
  expect(data.map(({ name }) => name)).toEqual(["Laptop"]);

  await signOut();
  await page.goto(`${console.url}/console/sign-in`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL(/\/console\/a\//);

  expect((await ask("DELETE", removePasskey.path.replace("{id}", data[0]?.id ?? ""))).status).toBe(204);
  await signOut();
  await page.goto(`${console.url}/console/sign-in`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("alert").waitFor();
  expect(page.url()).toContain("/sign-in");
  await devices.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: key });
});

/** The authenticator's signature for a new challenge. */
const prove = async ({ userVerification = "required" }: Asked = {}): Promise<unknown> => {
  const { body } = await ask("POST", "/console/api/sign-in/passkey/start", {});
  expect(body).toMatchObject({ userVerification: "required" });
  const options = { ...(body as object), userVerification };
  return page.evaluate(
    `(async () => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)});
      return (await navigator.credentials.get({ publicKey })).toJSON();
    })()`,
  );
};

const send = async (response: unknown): Promise<number> =>
  (await ask("POST", "/console/api/sign-in/passkey", { response })).status;

test("an authenticator that doesn't verify its user can neither be registered nor sign in", async () => {
  const discouraged = { userVerification: "discouraged" } as const;
  const stranger = await plugIn(false);
  await signInByPassword();
  expect((await registerPasskey("Found in the street", discouraged)).status).toBe(400);
  expect((await ask(listPasskeys.method, listPasskeys.path)).body).toEqual({ data: [] });
  await devices.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: stranger });

  const key = await plugIn(true);
  const { body: passkey } = await registerPasskey("Laptop");
  await signOut();
  await devices.send("WebAuthn.setUserVerified", { authenticatorId: key, isUserVerified: false });
  expect(await send(await prove(discouraged))).toBe(401);
  await devices.send("WebAuthn.setUserVerified", { authenticatorId: key, isUserVerified: true });
  expect(await send(await prove())).toBe(204);
  const { id } = passkey as { id: string };
  expect((await ask("DELETE", removePasskey.path.replace("{id}", id))).status).toBe(204);
  await signOut();
  await devices.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: key });
});

test("a signature is valid only for its own challenge, once", async () => {
  const key = await plugIn(true);
  await signInByPassword();
  expect((await registerPasskey("Laptop")).status).toBe(201);
  await signOut();
  const first = await prove();
  const second = await prove();
  expect([await send(first), await send(second)]).toEqual([401, 401]);
  const third = await prove();
  expect([await send(third), await send(third)]).toEqual([204, 401]);
  await devices.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: key });
});

test("the pages caused no policy violation or script error", () => {
  expect(watched.policyViolations).toEqual([]);
  expect(watched.scriptErrors).toEqual([]);
});
