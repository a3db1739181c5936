import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dir, "..", "..", "deploy", "kubernetes");
const KUSTOMIZATION = "kustomization.yaml";

type Labels = Readonly<Record<string, string>>;

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

/** What our manifests use of a container. */
export interface KubernetesContainer {
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly {
    readonly configMapRef?: { readonly name: string };
    readonly secretRef?: { readonly name: string; readonly optional?: boolean };
  }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly securityContext: unknown;
  readonly resources: { readonly requests: Labels; readonly limits: Labels };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface PodSpec {
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
  readonly topologySpreadConstraints?: readonly { readonly labelSelector: { readonly matchLabels: Labels } }[];
  readonly containers: readonly [KubernetesContainer];
  readonly volumes: readonly { readonly name: string }[];
}

export interface StatefulSet {
  readonly replicas: number;
  readonly serviceName: string;
  readonly selector: { readonly matchLabels: Labels };
  readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  readonly volumeClaimTemplates: readonly { readonly metadata: { readonly name: string } }[];
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Labels };
  /** Everything but a namespace has one. */
  readonly spec?: unknown;
}

interface Kustomization {
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string; readonly newTag: string }[];
  readonly configMapGenerator: readonly { readonly name: string; readonly literals: readonly string[] }[];
}

export interface KubernetesFolder {
  readonly kustomization: Kustomization;
  /** All files but the kustomization. */
  readonly files: readonly string[];
  readonly manifests: readonly Manifest[];
}

export const kubernetesFolders = ["base", "cluster"] as const;
export type KubernetesFolderName = (typeof kubernetesFolders)[number];

export function readKubernetes(name: KubernetesFolderName): KubernetesFolder {
  const read = (file: string): unknown => Bun.YAML.parse(readFileSync(join(FOLDER, name, file), "utf8"));
  const kustomization = read(KUSTOMIZATION) as Kustomization;
  return {
    kustomization,
    files: readdirSync(join(FOLDER, name)).filter((file) => file !== KUSTOMIZATION),
    manifests: kustomization.resources.flatMap((file) => read(file) as Manifest | Manifest[]),
  };
}

export const manifestsOf = <Spec>({ manifests }: KubernetesFolder, kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind) as (Manifest & { readonly spec: Spec })[];

export const statefulSetsOf = (folder: KubernetesFolder): readonly (Manifest & { readonly spec: StatefulSet })[] =>
  manifestsOf<StatefulSet>(folder, "StatefulSet");

/** The settings of a pod, without those of the image and of the secret. */
export function podSettings({ kustomization }: KubernetesFolder, { template }: StatefulSet): Record<string, string> {
  const { env = [], envFrom } = template.spec.containers[0];
  const literals = envFrom.flatMap(({ configMapRef }) =>
    kustomization.configMapGenerator.filter(({ name }) => name === configMapRef?.name).flatMap((map) => map.literals),
  );
  const generated = literals.map((literal) => {
    const at = literal.indexOf("=");
    return [literal.slice(0, at), literal.slice(at + 1)] as const;
  });
  return Object.fromEntries([...generated, ...env.map(({ name, value }) => [name, value] as const)]);
}
