import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What the image asks of the program that runs it. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export interface ContainerImage {
  readonly config: ImageConfig;
  /** The directory with the image's files. */
  readonly root: string;
  readonly bytes: { readonly unpacked: number; readonly compressed: number; readonly base: number };
  remove(): Promise<void>;
}

const PROJECT = join(import.meta.dir, "..", "..");
const SUITE = "bookworm";
/** What slim images leave out, too. */
const LEFT_OUT = ["doc", "info", "locale", "man"].map((name) => `"$1"/usr/share/${name}/*`).join(" ");

/**
 * Builds the image as `docker build` would, with images of our own in place of those that the Dockerfile names: nothing
 * is fetched but Debian and npm packages. Everything is in one directory, which is removed in the end.
 */
export async function buildImage(): Promise<ContainerImage> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-image-"));
  const storage = [
    "--root",
    join(directory, "storage"),
    "--runroot",
    join(directory, "run"),
    "--storage-driver",
    "vfs",
  ];
  const buildah = (...args: readonly string[]): Promise<string> => run(["buildah", ...storage, ...args]);
  const remove = async (): Promise<void> => {
    if (existsSync(join(directory, "storage"))) await buildah("umount", "--all");
    rmSync(directory, { recursive: true, force: true });
  };

  /** An image with the files of another one, or of an archive, and more. */
  const compose = async (name: string, from: string, add: (container: string) => Promise<void>): Promise<string> => {
    const container = await buildah("from", "--pull-never", from);
    await add(container);
    await buildah("commit", "--quiet", "--rm", container, name);
    return name;
  };

  try {
    const archive = join(directory, "debian.tar");
    const slim = `--customize-hook=rm -rf ${LEFT_OUT}`;
    await run(["mmdebstrap", "--quiet", "--variant=minbase", slim, SUITE, archive]);
    const base = await compose("localhost/debian", "scratch", async (container) => {
      await buildah("add", "--quiet", container, archive, "/");
    });
    const node = await compose("localhost/node", base, async (container) => {
      for (const path of await nodePaths()) await buildah("add", "--quiet", container, realpathSync(path), path);
      const links = ["npm", "npx"]
        .map((name) => `ln -sf ${npmRoot()}/bin/${name}-cli.js /usr/bin/${name}`)
        .join(" && ");
      await buildah("run", "--isolation", "chroot", container, "--", "sh", "-c", links);
      const certificates = process.env.NODE_EXTRA_CA_CERTS;
      if (certificates) await buildah("config", "--env", `NODE_EXTRA_CA_CERTS=${certificates}`, container);
    });
    // Docker's own format, since the other one has no place for the health check.
    const options = ["--isolation", "chroot", "--format", "docker", "--pull-never", "--quiet"];
    const images = ["--build-arg", `NODE_IMAGE=${node}`, "--build-arg", `BASE_IMAGE=${base}`];
    await buildah("build", ...options, ...images, "--tag", "localhost/kurz", PROJECT);
    const container = await buildah("from", "--pull-never", "localhost/kurz");
    const root = await buildah("mount", container);
    const inspected = JSON.parse(await buildah("inspect", "--type", "image", "localhost/kurz"));
    const compressed = await run(["sh", "-c", `tar -C '${root}' -c . | gzip -6 | wc -c`]);
    const unpackedOf = async (path: string) => Number((await run(["du", "-sb", path])).split("\t")[0]);
    const baseRoot = await buildah("mount", await buildah("from", "--pull-never", base));
    return {
      config: inspected.Docker.config,
      root,
      bytes: {
        unpacked: await unpackedOf(root),
        compressed: Number(compressed),
        base: await unpackedOf(baseRoot),
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

const npmRoot = (): string => dirname(dirname(realpathSync(programOf("npm"))));

/** This machine's Node.js and npm, and where npm fetches packages from. */
async function nodePaths(): Promise<string[]> {
  const settings = ["userconfig", "globalconfig", "cafile"].map((name) => run(["npm", "config", "get", name]));
  const paths = [realpathSync(programOf("node")), npmRoot(), ...(await Promise.all(settings))];
  return [...paths, process.env.NODE_EXTRA_CA_CERTS ?? ""].filter((path) => path.startsWith("/") && existsSync(path));
}

function programOf(name: string): string {
  const found = Bun.which(name);
  if (!found) throw new Error(`the image is built with this machine's ${name}, which isn't installed`);
  return found;
}

async function run(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(" ")} failed with ${code}: ${(out + err).slice(-4000)}`);
  return out.trim();
}
