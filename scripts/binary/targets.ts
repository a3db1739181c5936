export interface BinaryTarget {
  readonly name: string;
  readonly bun: Bun.Build.CompileTarget;
  /** The packages that are only for this processor. */
  readonly runtime: string;
  readonly bindings: string;
}

export const targets: readonly BinaryTarget[] = [
  {
    name: "linux-x64",
    bun: "bun-linux-x64",
    runtime: "@oven/bun-linux-x64",
    bindings: "@duckdb/node-bindings-linux-x64",
  },
  {
    name: "linux-arm64",
    bun: "bun-linux-arm64",
    runtime: "@oven/bun-linux-aarch64",
    bindings: "@duckdb/node-bindings-linux-arm64",
  },
];

export function findTarget(name: string): BinaryTarget {
  const found = targets.find((target) => target.name === name);
  if (!found) throw new Error(`there is no target ${name}; choose from ${targets.map((each) => each.name).join(", ")}`);
  return found;
}

export const ownTarget = (): BinaryTarget => findTarget(`${process.platform}-${process.arch}`);
