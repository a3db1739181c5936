import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { loadConfig } from "#config/load-config.ts";
import { settings } from "#config/settings.ts";
import { stopLimits } from "#runtime/stop-limits.ts";
import { type ComposeFile, kurzServices, readCompose, type Service } from "#test/support/compose.ts";
import { imageSettings, imageVolume, instructionsOf } from "#test/support/dockerfile.ts";
import { blocksOf } from "#test/support/documentation.ts";
import manifest from "../package.json";

const root = join(import.meta.dir, "..");
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

const SECRETS = {
  KURZ_BASE_URL: "https://s.example",
  KURZ_SECRET_KEY: "6f1d0c2b7a9e4835".repeat(4),
  POSTGRES_PASSWORD: "0123456789abcdef".repeat(4),
  CLICKHOUSE_PASSWORD: "123456789abcdef0".repeat(4),
  REDIS_PASSWORD: "23456789abcdef01".repeat(4),
};
const FILES = { "compose.yaml": {}, "compose.cluster.yaml": SECRETS } as const;
const files = Object.entries(FILES).map(([name, variables]): [string, ComposeFile] => [
  name,
  readCompose(name, variables),
]);
const cluster = readCompose("compose.cluster.yaml", SECRETS);
const EXACT_TAG = /^[\w/-]+:\d+\.\d+(\.\d+)*(-[\w.-]+)?$/;

/** The build makes one file of it, with the package that it imports. */
const BUILT = join("src", "mcp", "library.ts");

const packagesIn = (text: string): string[] =>
  [...text.replaceAll(/import type [^;]+;/g, "").matchAll(/(?:from|import\()\s*"(@?\w[\w./@-]*)"/g)].map(
    ([, name = ""]) => (name.startsWith("@") ? name.split("/").slice(0, 2).join("/") : (name.split("/")[0] ?? "")),
  );

/** `source:target[:mode]`, where a source is a path of this project or the name of a volume. */
const mountsOf = ({ volumes = [] }: Service): { source: string; target: string }[] =>
  volumes.map((mount) => {
    const [source = "", target = ""] = mount.split(":");
    return { source, target };
  });

describe.each(files)("%s", (_, file) => {
  const services = Object.entries(file.services);
  const nodes = kurzServices(file);

  test("names exact versions, and this version of Kurz", () => {
    expect(services.filter(([, { image }]) => !EXACT_TAG.test(image))).toEqual([]);
    expect(new Set(nodes.map(([, { image }]) => image))).toEqual(new Set([`kurz:${manifest.version}`]));
  });

  test("sets only settings that exist, and Kurz accepts them", () => {
    const names = Object.values(settings).map(({ name }) => name as string);
    for (const [, { environment = {} }] of nodes) {
      expect(Object.keys(environment).filter((name) => !names.includes(name))).toEqual([]);
      expect(() => loadConfig(environment)).not.toThrow();
    }
  });

  test("keeps data in the image's volume, each node in its own", () => {
    for (const [, service] of nodes) {
      expect(mountsOf(service).map(({ target }) => target)).toContain(imageVolume());
      expect(service.environment?.KURZ_DATA_DIR).toStartWith(`${imageVolume()}/`);
    }
    const sources = services.flatMap(([, service]) => mountsOf(service).map(({ source }) => source));
    expect(sources.length).toBe(new Set(sources).size);
  });

  test("declares every volume and network that it uses, and no other; every file that it mounts exists", () => {
    const sources = services.flatMap(([, service]) => mountsOf(service).map(({ source }) => source));
    const [paths, names] = [
      sources.filter((name) => name.startsWith("./")),
      sources.filter((name) => /^\w/.test(name)),
    ];
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(Object.keys(file.volumes ?? {}).toSorted()).toEqual(names.toSorted());
    const networks = new Set(services.flatMap(([, service]) => service.networks ?? []));
    expect(new Set(Object.keys(file.networks ?? {}))).toEqual(networks);
    expect(nodes.filter(([, { build = "" }]) => !existsSync(join(root, build, "Dockerfile")))).toEqual([]);
  });

  test("waits only for services that exist and can say whether they are ready", () => {
    for (const [, { depends_on = [] }] of services) {
      const conditions = Array.isArray(depends_on) ? [] : Object.entries(depends_on);
      for (const name of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)) {
        expect(Object.keys(file.services)).toContain(name);
      }
      for (const [name, { condition }] of conditions) {
        expect(condition).toBe("service_healthy");
        expect(file.services[name]?.healthcheck).toBeDefined();
      }
    }
  });

  test("gives nodes no rights that they don't need, and restarts everything", () => {
    for (const [, node] of nodes) {
      expect(node).toMatchObject({
        read_only: true,
        tmpfs: ["/tmp"],
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      });
    }
    expect(services.filter(([, { restart }]) => restart !== "unless-stopped")).toEqual([]);
  });

  test("leaves a node the time that it may take to stop", () => {
    for (const [, { environment = {}, stop_grace_period }] of nodes) {
      const config = loadConfig(environment);
      const [, minutes] = /^(\d+)m$/.exec(stop_grace_period ?? "") ?? [];
      expect(Number(minutes) * 60_000).toBeGreaterThan(stopLimits(config).stopMs + config.drainSeconds * 1000);
    }
  });
});

test("on one machine, only the machine itself reaches Kurz, until a proxy is in front", () => {
  const [[, kurz]] = kurzServices(readCompose("compose.yaml")) as [[string, Service]];
  const [port] = kurz.ports ?? [];
  expect(kurz.ports).toHaveLength(1);
  expect(port).toMatch(/^127\.0\.0\.1:\d+:8080$/);
  const { baseUrl } = loadConfig(kurz.environment ?? {});
  expect(port).toStartWith(`127.0.0.1:${new URL(baseUrl).port}:`);
});

describe("the cluster", () => {
  test("has the parts of the reference deployment", () => {
    const roles = kurzServices(cluster).map(([, { environment }]) => environment?.KURZ_ROLES);
    expect(roles.toSorted()).toEqual(["control", "control", "redirect", "redirect"]);
    const ids = kurzServices(cluster).map(([name, { environment }]) => [name, environment?.KURZ_NODE_ID]);
    expect(ids.filter(([name, id]) => name !== id)).toEqual([]);
  });

  test("publishes no port but the balancer's, which can't reach the engines", () => {
    const published = Object.entries(cluster.services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(["balancer"]);
    expect(cluster.services.balancer?.networks).toEqual(["nodes"]);
    expect(cluster.networks?.engines).toEqual({ internal: true });
    for (const name of ["postgres", "clickhouse", "valkey"]) {
      expect(cluster.services[name]?.networks).toEqual(["engines"]);
    }
  });

  test.each(Object.keys(SECRETS))("doesn't start without %s", (name) => {
    expect(() => readCompose("compose.cluster.yaml", { ...SECRETS, [name]: "" })).toThrow(name);
  });

  test("contains no secret", () => {
    const values = [...textOf("compose.cluster.yaml").matchAll(/\w*(?:PASSWORD|SECRET|AUTH)\w*: (.*)$/gm)];
    expect(values.length).toBeGreaterThanOrEqual(4);
    expect(values.filter(([, value = ""]) => !/^\$\{\w+:\?[^}]+\}$/.test(value))).toEqual([]);
  });

  test("passes no secret on a command line, which everyone on the machine can read", () => {
    const commands = Object.values(cluster.services).map(({ command, healthcheck }) => [command, healthcheck?.test]);
    const text = JSON.stringify(commands);
    const { KURZ_BASE_URL: _, ...secrets } = SECRETS;
    expect(Object.entries(secrets).filter(([, value]) => text.includes(value))).toEqual([]);
  });

  test("has as many connections to PostgreSQL as its nodes may open", () => {
    const [, connections] = /max_connections=(\d+)/.exec(String(cluster.services.postgres?.command)) ?? [];
    const redirectProcessesMax = 4;
    expect(Number(connections)).toBeGreaterThan(kurzServices(cluster).length * (32 + 8 * redirectProcessesMax));
  });

  test("has the balancer that docs/cluster.md describes", () => {
    const [documented] = blocksOf("docs/cluster.md").filter(({ language }) => language === "caddy");
    const expected = ["redirect-1", "redirect-2", "control-1", "control-2"].reduce(
      (text, name, at) => text.replaceAll(`10.0.0.${11 + at}:8080`, `${name}:8080`),
      documented?.text.replace("s.example {", "{$KURZ_BASE_URL} {") ?? "",
    );
    expect(textOf("container/Caddyfile").replaceAll(/^#.*\n/gm, "")).toBe(expected);
  });
});

describe("the image", () => {
  test("is built on exact versions", () => {
    const images = instructionsOf("ARG").map((value) => value.split("=")[1] ?? "");
    expect(images).toHaveLength(2);
    expect(images.filter((image) => !EXACT_TAG.test(image))).toEqual([]);
    expect(instructionsOf("FROM")).toEqual([
      expect.stringMatching(/^\$\{\w+\} AS build$/),
      expect.stringMatching(/^\$\{\w+\}$/),
    ]);
  });

  test("is built from files that exist and that the build may see", () => {
    const admitted = textOf(".dockerignore").match(/(?<=^!).+$/gm) ?? [];
    expect(admitted.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const copied = instructionsOf("COPY").flatMap((value) => value.split(" ").slice(0, -1));
    const sources = copied.filter((word) => !word.startsWith("--")).map((word) => word.replace(/^\/opt\/kurz\//, ""));
    // Made by the build.
    const named = sources.filter((path) => ![".", "node_modules", "dist"].includes(path));
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((path) => !admitted.some((one) => one === path || one.startsWith(`${path}/`)))).toEqual([]);
  });

  test("runs without root, and its first process gets every signal", () => {
    expect(instructionsOf("USER")).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
    for (const name of ["ENTRYPOINT", "CMD"]) expect(JSON.parse(instructionsOf(name)[0] ?? "")).toBeArray();
    expect(textOf("bin/kurz")).toMatch(/\nexec [^\n]+\n$/);
  });

  test("has settings that Kurz accepts, with its data in the volume", () => {
    const config = loadConfig(imageSettings());
    expect(config.dataDir).toStartWith(`${imageVolume()}/`);
    expect(config.host).toBe("0.0.0.0");
    expect(instructionsOf("EXPOSE")).toEqual([String(config.port)]);
  });

  test("has every package that the server imports, since none of them is only for development", () => {
    const code = ["bin", "container", "contract", "shared", "src"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .map((name) => join(folder, name))
        .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.includes("/fixtures/")),
    );
    expect(code).toContain(BUILT);
    const imported = code.filter((file) => file !== BUILT).flatMap((file) => packagesIn(textOf(file)));
    const packages = [...new Set(imported)].filter(
      (name) => !/^(?:bun|node):/.test(name) && !builtinModules.includes(name),
    );
    expect(packages.length).toBeGreaterThan(10);
    expect(packages.filter((name) => !(name in manifest.dependencies))).toEqual([]);
  });
});
