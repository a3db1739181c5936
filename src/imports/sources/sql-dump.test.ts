import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { SourceProblem } from "#imports/import-source.ts";
import { type DumpRow, readSqlDump } from "./sql-dump.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-dump-"));
afterAll(() => rmSync(directory, { recursive: true }));

const never = new AbortController().signal;

async function rowsOf(text: string | Uint8Array): Promise<DumpRow[]> {
  const path = join(directory, "dump.sql");
  writeFileSync(path, text);
  return Array.fromAsync(readSqlDump(path, never));
}
const valuesOf = async (text: string | Uint8Array) => (await rowsOf(text)).map(({ values }) => values);

const mysql = `-- MariaDB dump 10.19
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`y_url\`;
CREATE TABLE \`y_url\` (
  \`keyword\` varchar(100) NOT NULL DEFAULT '' COMMENT 'a, (b); c',
  \`url\` text NOT NULL,
  \`title\` text DEFAULT NULL,
  \`clicks\` int(10) unsigned NOT NULL,
  PRIMARY KEY (\`keyword\`),
  KEY \`url_idx\` (\`url\`(30))
) ENGINE=InnoDB COMMENT='x;y';
LOCK TABLES \`y_url\` WRITE;
/*!40000 ALTER TABLE \`y_url\` DISABLE KEYS */;
INSERT INTO \`y_url\` VALUES
('a','https://e.example/;x=(1),(\\'2\\')','It''s \\"a\\" \\\\ \\n line',3),
('b','x',NULL,0);
/*!40000 ALTER TABLE \`y_url\` ENABLE KEYS */;
DELIMITER ;;
CREATE TRIGGER t BEFORE INSERT ON y_url FOR EACH ROW BEGIN SET @a = 1; END ;;
DELIMITER ;
INSERT INTO \`y_url\` (\`clicks\`, \`keyword\`) VALUES (7, _utf8mb4 'c'), (8, X'64');
-- Dump completed`;

const mysqlRows = [
  { keyword: "a", url: "https://e.example/;x=(1),('2')", title: 'It\'s "a" \\ \n line', clicks: "3" },
  { keyword: "b", url: "x", title: null, clicks: "0" },
  { clicks: "7", keyword: "c" },
  { clicks: "8", keyword: "d" },
];

test("a dump of MySQL or MariaDB is read with its escapes", async () => {
  expect(await valuesOf(mysql)).toEqual(mysqlRows);
});

test("a dump may be compressed, or UTF-16 as some shells write it", async () => {
  expect(await valuesOf(gzipSync(mysql))).toEqual(mysqlRows);
  expect(await valuesOf(Buffer.from(`\uFEFF${mysql}`, "utf16le"))).toEqual(mysqlRows);
});

test("a dump of PostgreSQL is read in both of its forms", async () => {
  const head = "-- PostgreSQL database dump\n\\restrict abc\nCREATE FUNCTION f() AS $x$ begin; 'end $x$;\n";
  const copied = `${head}COPY public.links (id, "address", note) FROM stdin;\n1\ta\\\\b\tone\\ntwo\n2\t\\N\t\\t;\n\\.\n\nSELECT 1;\n`;
  expect(await rowsOf(copied)).toEqual([
    { table: "links", values: { id: "1", address: "a\\b", note: "one\ntwo" } },
    { table: "links", values: { id: "2", address: null, note: "\t;" } },
  ]);
  const inserted = `${head}CREATE TABLE public.links (\n id integer NOT NULL,\n note text,\n meta jsonb DEFAULT '{}'::jsonb\n);
INSERT INTO public.links VALUES (1, 'back\\slash
INSERT INTO public.links VALUES (9)', '{"a": 1}'::jsonb);
INSERT INTO public.links VALUES (2, E'tab\\t', NULL);\n`;
  expect(await valuesOf(inserted)).toEqual([
    { id: "1", note: "back\\slash\nINSERT INTO public.links VALUES (9)", meta: '{"a": 1}' },
    { id: "2", note: "tab\t", meta: null },
  ]);
});

test("a dump of SQLite is read, with line ends that it writes by functions", async () => {
  const dump = `PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE \`links\` (\`id\` integer not null primary key autoincrement, \`note\` varchar(255), constraint x unique (id));
INSERT INTO links VALUES(1,replace('one\\ntwo','\\n',char(10)));
INSERT INTO links VALUES(2,unistr('one\\u000atwo \\\\ x'));
INSERT INTO links VALUES(3,'back\\');
COMMIT;
`;
  expect(await valuesOf(dump)).toEqual([
    { id: "1", note: "one\ntwo" },
    { id: "2", note: "one\ntwo \\ x" },
    { id: "3", note: "back\\" },
  ]);
});

test("wherever a file is cut into pieces, its rows are the same", async () => {
  const rows = Array.from(
    { length: 20_000 },
    (_, index) =>
      `(${index},'${"é'x\\"
        .repeat(index % 7)
        .replaceAll("'", "''")
        .replaceAll("\\", "\\\\")}',NULL)`,
  );
  const text = `CREATE TABLE t (a int, b text, c text);\nINSERT INTO t VALUES ${rows.join(",")};\n`;
  const found = await valuesOf(text);
  expect(found.length).toBe(rows.length);
  expect(
    found.every(({ a, b, c }, index) => a === String(index) && b === "é'x\\".repeat(index % 7) && c === null),
  ).toBe(true);
});

test("a dump that breaks off says so", async () => {
  await expect(rowsOf("CREATE TABLE t (a int);\nINSERT INTO t VALUES (1),(2")).rejects.toThrow("breaks off");
  await expect(rowsOf("COPY t (a) FROM stdin;\n1\n2")).rejects.toThrow("breaks off");
});

test("text that is no dump has no rows", async () => {
  expect(await rowsOf("Hello, it's me")).toEqual([]);
  expect(await rowsOf("")).toEqual([]);
});

test("a compressed file that breaks off is said to", async () => {
  const whole = gzipSync("INSERT INTO t (a) VALUES (1);\n".repeat(10_000));
  await expect(rowsOf(whole.subarray(0, -20))).rejects.toThrow(
    new SourceProblem("The file isn't a complete gzip file: it is damaged or cut off."),
  );
});

test("characters that don't exist are said to", async () => {
  await expect(rowsOf("PRAGMA x;\nINSERT INTO t (a) VALUES (char(9999999));")).rejects.toThrow(SourceProblem);
});

test("what a dump is by isn't decided by a text in it", async () => {
  const text = "-- MySQL dump\nINSERT INTO t (a) VALUES ('PostgreSQL database dump\\'s');\n";
  expect(await valuesOf(text)).toEqual([{ a: "PostgreSQL database dump's" }]);
});
