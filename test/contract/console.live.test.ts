import { afterAll, beforeAll, expect, test } from "bun:test";
import { listMembers, removeMember } from "#contract/console/account.ts";
import { LiveClick, watchClicks } from "#contract/console/links.ts";
import { signOut } from "#contract/console/session.ts";
import { endOtherSessions } from "#contract/console/user.ts";
import { createLink } from "#contract/links.ts";
import { type ConsoleClient, type ConsoleServer, startConsole } from "#test/support/console-client.ts";
import { until } from "#test/support/until.ts";

// Well above the heartbeat interval at which idle streams are checked.
const STREAM_MS_MAX = 180_000;
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

let console: ConsoleServer;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.stop());

const newLink = (client: ConsoleClient, title = "A link") =>
  client.do(createLink, { body: { destination_url: "https://example.com/", title } });
const open = (slug: string) =>
  fetch(`${console.url}/${slug}`, { redirect: "manual", headers: { "user-agent": BROWSER } });

/** Reads events until `count` have arrived. */
async function readClicks(client: ConsoleClient, count: number, act: () => Promise<unknown>): Promise<LiveClick[]> {
  const stop = new AbortController();
  const cookie = await client.jar.getCookieString(console.url);
  const response = await fetch(`${console.url}${watchClicks.path}?account=${client.account}`, {
    headers: { cookie },
    signal: stop.signal,
  });
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  const clicks: LiveClick[] = [];
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    if (text === "") await act();
    text += decoder.decode(chunk, { stream: true });
    const found = [...text.matchAll(/^event: click\ndata: (.+)\n\n/gm)].map(([, data = ""]) =>
      LiveClick.parse(JSON.parse(data)),
    );
    clicks.splice(0, clicks.length, ...found);
    if (clicks.length >= count) break;
  }
  stop.abort();
  return clicks;
}

test("clicks by people on the account's own links arrive as they happen", async () => {
  const [owner, eve] = [await console.newOwner(), await console.newOwner()];
  const [link, other] = [await newLink(owner, "Mine"), await newLink(eve)];
  const clicks = await readClicks(owner, 1, async () => {
    await open(other.slug);
    await fetch(`${console.url}/${link.slug}`, { redirect: "manual", headers: { "user-agent": "curl/8" } });
    await open(link.slug);
  });
  expect(clicks).toMatchObject([
    {
      link: { id: link.id, domain: null, slug: link.slug, title: "Mine" },
      browser: "Firefox",
      os: "Linux",
      source: "link",
    },
  ]);
  expect(Object.keys(clicks[0] ?? {})).not.toContain("visitor");
});

/** A stream that is open for certain; `rest` is everything it sends until the server ends it. */
async function listen(client: ConsoleClient): Promise<{ rest: Promise<string> }> {
  const cookie = await client.jar.getCookieString(console.url);
  const response = await fetch(`${console.url}${watchClicks.path}?account=${client.account}`, {
    headers: { cookie },
    signal: AbortSignal.timeout(STREAM_MS_MAX),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe(": connected\n\n");
  const readRest = async (): Promise<string> => {
    let text = "";
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
    return text;
  };
  return { rest: readRest() };
}

test("someone who is removed, signs out or loses their session sees no more clicks, and the stream ends", async () => {
  const owner = await console.newOwner();
  const { slug } = await newLink(owner);
  const [removed, gone, ended] = [
    await console.newMember("viewer", owner),
    await console.newMember("admin", owner),
    await console.newMember("member", owner),
  ];
  const streams = await Promise.all([removed, gone, ended].map(listen));
  const { members } = await owner.do(listMembers);
  await owner.do(removeMember, { params: { id: members.find(({ email }) => email === removed.email)?.id ?? "" } });
  await gone.do(signOut);
  const elsewhere = console.guest();
  await elsewhere.signIn(ended.email);
  await elsewhere.do(endOtherSessions);
  const heard = await readClicks(owner, 1, () => open(slug));
  expect(heard).toHaveLength(1);
  for (const { rest } of streams) expect(await rest).not.toContain("event: click");
});

test("a closed stream makes room for the next", async () => {
  const owner = await console.newOwner();
  const cookie = await owner.jar.getCookieString(console.url);
  const listenAndLeave = async (): Promise<boolean> => {
    const stop = new AbortController();
    const { status } = await fetch(`${console.url}${watchClicks.path}?account=${owner.account}`, {
      headers: { cookie },
      signal: stop.signal,
    });
    stop.abort();
    return status === 200;
  };
  for (let round = 0; round < 25; round += 1) await until("there is room", listenAndLeave);
});

test("an open stream doesn't delay the end of the server", async () => {
  // A stream that isn't ended at once would be cut off after five seconds. On a busy machine one in time is enough.
  const times = [await stopWithStream()];
  while (times.length < 3 && Math.min(...times) >= 4500) times.push(await stopWithStream());
  expect(Math.min(...times)).toBeLessThan(4500);
});

/** How long an open stream lasts after the server was told to stop. */
async function stopWithStream(): Promise<number> {
  const short = await startConsole();
  const cookie = await short.owner.jar.getCookieString(short.url);
  const response = await fetch(`${short.url}${watchClicks.path}?account=${short.owner.account}`, {
    headers: { cookie },
  });
  const reader = response.body?.getReader();
  await reader?.read();
  const stoppedAt = performance.now();
  const streamEnded = reader?.read().then(({ done }) => ({ done, ms: performance.now() - stoppedAt }));
  expect(await short.server.stop()).toBe(0);
  const { done, ms = 0 } = (await streamEnded) ?? {};
  expect(done).toBe(true);
  return ms;
}
