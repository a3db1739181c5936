import { afterEach, beforeEach, expect, test } from "bun:test";
import { startSmtpServer } from "#test/support/smtp-server.ts";
import { openMailer } from "./mailer.ts";

let smtp: ReturnType<typeof startSmtpServer>;
let problems: string[];

beforeEach(() => {
  smtp = startSmtpServer();
  problems = [];
});
afterEach(() => smtp.stop());

const open = (smtpUrl: string | null) =>
  openMailer({ smtpUrl, from: "Kurz <kurz@s.example>", onProblem: (message) => problems.push(message) });

test("a mail is sent as plain text", async () => {
  const mailer = open(smtp.url);
  mailer.send({ to: "ada@example.com", subject: "Grüße", text: "Hello\nthere" });
  await mailer.close();
  expect(smtp.mails).toHaveLength(1);
  const [mail] = smtp.mails;
  expect(mail).toMatchObject({ from: "kurz@s.example", to: ["ada@example.com"] });
  expect(mail?.text).toContain("Content-Type: text/plain; charset=utf-8");
  expect(mail?.text).toContain("Hello\r\nthere");
  expect(problems).toEqual([]);
});

test("a subject can't add headers or recipients", async () => {
  const mailer = open(smtp.url);
  mailer.send({ to: "ada@example.com", subject: "a\r\nBcc: eve@example.com", text: "x" });
  await mailer.close();
  expect(smtp.mails[0]?.to).toEqual(["ada@example.com"]);
  expect(smtp.mails[0]?.text).not.toMatch(/^Bcc:/m);
});

test("an unreachable server is reported to the operator only", async () => {
  smtp.stop();
  const mailer = open(smtp.url);
  expect(mailer.send({ to: "ada@example.com", subject: "x", text: "x" })).toBeUndefined();
  await mailer.close();
  expect(problems).toEqual(["a mail could not be sent"]);
});

test("nothing is sent without a server", async () => {
  const mailer = open(null);
  mailer.send({ to: "ada@example.com", subject: "x", text: "x" });
  await mailer.close();
  expect([mailer.isOn, smtp.mails, problems]).toEqual([false, [], []]);
});
