interface BundleOptions {
  readonly entry: string;
  readonly format: "esm" | "cjs";
  readonly target: "browser" | "node";
  readonly banner?: string;
}

/** The bundler notes where each module came from, seen from the current directory. */
const ORIGIN = /^\/\/ \S+\.[jt]s\n/gm;

/** One readable script with everything that the entry imports: the same text, wherever and by whom it is built. */
export async function bundleScript({ entry, ...options }: BundleOptions): Promise<string> {
  // Fails with the errors of the source.
  const { outputs } = await Bun.build({ entrypoints: [entry], ...options });
  const [script] = outputs;
  if (!script || outputs.length > 1) throw new Error(`${entry} is bundled to ${outputs.length} files`);
  return (await script.text()).replace(ORIGIN, "");
}
