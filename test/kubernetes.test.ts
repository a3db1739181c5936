import { describe, expect, test } from "bun:test";
import { loadConfig } from "#config/load-config.ts";
import { settings } from "#config/settings.ts";
import { stopLimits } from "#runtime/stop-limits.ts";
import { imageSettings, imageUser, imageVolume } from "#test/support/dockerfile.ts";
import {
  kubernetesFolders,
  manifestsOf,
  podSettings,
  readKubernetes,
  type StatefulSet,
  statefulSetsOf,
} from "#test/support/kubernetes.ts";
import manifest from "../package.json";

const SECRETS = {
  base: {},
  cluster: {
    KURZ_SECRET_KEY: "6f1d0c2b7a9e4835".repeat(4),
    DATABASE_URL: "postgres://kurz:password@db.internal/kurz",
    CLICKHOUSE_URL: "https://kurz:password@clicks.internal:8443/kurz",
    REDIS_URL: "rediss://:password@cache.internal:6379",
  },
} as const;

interface Service {
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly { readonly name: string; readonly targetPort: string }[];
}

interface Ingress {
  readonly tls: readonly { readonly hosts: readonly string[] }[];
  readonly rules: readonly {
    readonly host: string;
    readonly http: {
      readonly paths: readonly {
        readonly path: string;
        readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } };
      }[];
    };
  }[];
}

interface PodDisruptionBudget {
  readonly maxUnavailable: number;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
}

describe.each(kubernetesFolders)("deploy/kubernetes/%s", (name) => {
  const folder = readKubernetes(name);
  const nodes = statefulSetsOf(folder);
  const services = manifestsOf<Service>(folder, "Service");
  const environmentOf = (spec: StatefulSet): Record<string, string> => ({
    ...imageSettings(),
    ...podSettings(folder, spec),
    ...SECRETS[name],
  });
  const configOf = (spec: StatefulSet) => loadConfig(environmentOf(spec));

  test("uses each of its files, and names this version of Kurz", () => {
    expect(folder.kustomization.resources.toSorted()).toEqual(folder.files.toSorted());
    expect(folder.kustomization.images).toEqual([{ name: "kurz", newTag: manifest.version }]);
    expect(new Set(nodes.map(({ spec }) => spec.template.spec.containers[0].image))).toEqual(new Set(["kurz"]));
  });

  test("sets only settings that exist, and Kurz accepts them", () => {
    const names = Object.values(settings).map((setting) => setting.name as string);
    for (const { spec } of nodes) {
      expect(Object.keys(environmentOf(spec)).filter((variable) => !names.includes(variable))).toEqual([]);
      expect(() => configOf(spec)).not.toThrow();
    }
  });

  test("takes secrets from a secret that isn't here", () => {
    const secret = nodes.flatMap(({ spec }) =>
      spec.template.spec.containers[0].envFrom.flatMap((one) => one.secretRef ?? []),
    );
    expect(new Set(secret.map((one) => one.name))).toEqual(new Set(["kurz-secrets"]));
    // Without it, a node would start with a key and data of its own.
    expect(secret.every(({ optional = false }) => optional)).toBe(name === "base");
    expect(manifestsOf(folder, "Secret")).toEqual([]);
    for (const { spec } of nodes) {
      expect(Object.keys(podSettings(folder, spec)).filter((variable) => /SECRET|_URL$/.test(variable))).toEqual(
        expect.not.arrayContaining(["KURZ_SECRET_KEY", "DATABASE_URL", "CLICKHOUSE_URL", "REDIS_URL", "KURZ_SMTP_URL"]),
      );
    }
  });

  test("gives pods no rights that they don't need", () => {
    const [uid, gid] = imageUser();
    for (const { spec } of nodes) {
      const pod = spec.template.spec;
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        // Else Kubernetes sets KURZ_PORT to an address, since a service is called like that.
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: uid,
          runAsGroup: gid,
          fsGroup: gid,
          seccompProfile: { type: "RuntimeDefault" },
        },
      });
      expect(pod.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
    expect(manifestsOf(folder, "Namespace").map(({ metadata }) => metadata.labels)).toEqual([
      { "pod-security.kubernetes.io/enforce": "restricted" },
    ]);
  });

  test("keeps data in a volume of the pod's own, where the image has it, and mounts nothing else but /tmp", () => {
    for (const { spec } of nodes) {
      const pod = spec.template.spec;
      const volumes = [
        ...pod.volumes.map((volume) => volume.name),
        ...spec.volumeClaimTemplates.map((one) => one.metadata.name),
      ];
      expect(pod.containers[0].volumeMounts).toEqual([
        { name: "data", mountPath: imageVolume() },
        { name: "tmp", mountPath: "/tmp" },
      ]);
      expect(volumes.toSorted()).toEqual(["data", "tmp"]);
      expect(spec.volumeClaimTemplates.map((one) => one.metadata.name)).toEqual(["data"]);
      expect(configOf(spec).dataDir).toStartWith(`${imageVolume()}/`);
    }
  });

  test("leaves a pod the time that it may take to stop", () => {
    for (const { spec } of nodes) {
      const config = configOf(spec);
      const graceMs = spec.template.spec.terminationGracePeriodSeconds * 1000;
      expect(graceMs).toBeGreaterThan(stopLimits(config).stopMs + config.drainSeconds * 1000);
    }
  });

  test("asks whether a pod is ready, and only restarts one that doesn't answer at all", () => {
    for (const { spec } of nodes) {
      const { startupProbe, livenessProbe, readinessProbe } = spec.template.spec.containers[0];
      expect(startupProbe.httpGet).toEqual({ path: "/healthz", port: "http" });
      expect(livenessProbe.httpGet).toEqual({ path: "/healthz", port: "http" });
      expect(readinessProbe.httpGet).toEqual({ path: "/readyz", port: "http" });
      // Migrations may take a while.
      expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(600);
      // A pod that leaves is taken out before it stops, even where only its probe tells.
      const { drainSeconds } = configOf(spec);
      const noticed = readinessProbe.periodSeconds * readinessProbe.failureThreshold;
      if (name === "cluster") expect(drainSeconds).toBeGreaterThan(noticed);
    }
  });

  test("has ports that Kurz listens on, under the names that services, probes and policies use", () => {
    for (const { spec } of nodes) {
      const config = configOf(spec);
      const metrics = Number(/:(\d+)$/.exec(environmentOf(spec).KURZ_METRICS_ADDR ?? "")?.[1]);
      expect(spec.template.spec.containers[0].ports).toEqual([
        { name: "http", containerPort: config.port },
        { name: "metrics", containerPort: metrics },
      ]);
    }
    expect(services.flatMap(({ spec }) => spec.ports)).toEqual(
      services.map(() => ({ name: "http", port: 80, targetPort: "http" })),
    );
    const policies = manifestsOf<{ ingress: { ports: { port: string }[] }[] }>(folder, "NetworkPolicy");
    const admitted = policies.flatMap(({ spec }) => spec.ingress.flatMap(({ ports }) => ports.map(({ port }) => port)));
    expect(admitted).toEqual(["http", "metrics"]);
  });

  test("has a service for the pods of each set, and selects no other ones", () => {
    for (const { spec, metadata } of nodes) {
      expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
      expect(
        services.filter((service) => service.metadata.name === spec.serviceName).map((one) => one.spec.selector),
      ).toEqual([spec.selector.matchLabels]);
      expect(spec.serviceName).toBe(metadata.name);
      for (const { labelSelector } of spec.template.spec.topologySpreadConstraints ?? []) {
        expect(labelSelector.matchLabels).toEqual(spec.selector.matchLabels);
      }
    }
    const selectors = nodes.map(({ spec }) => JSON.stringify(spec.selector.matchLabels));
    expect(new Set(selectors).size).toBe(nodes.length);
  });

  test("has an ingress for the base URL, which leads to services that exist", () => {
    const [ingress] = manifestsOf<Ingress>(folder, "Ingress");
    const hosts = nodes.map(({ spec }) => new URL(configOf(spec).baseUrl).host);
    expect(new Set(ingress?.spec.rules.map(({ host }) => host))).toEqual(new Set(hosts));
    expect(new Set(ingress?.spec.tls.flatMap((tls) => tls.hosts))).toEqual(new Set(hosts));
    const backends = ingress?.spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service)) ?? [];
    const names = services.map(({ metadata }) => metadata.name);
    expect(backends.filter((service) => !names.includes(service.name) || service.port.name !== "http")).toEqual([]);
    expect(new Set(backends.map((service) => service.name))).toEqual(new Set(names));
  });
});

describe("the cluster", () => {
  const folder = readKubernetes("cluster");
  const nodes = statefulSetsOf(folder);

  test("has several nodes of each role, of which one may be away", () => {
    expect(nodes.map(({ metadata, spec }) => [metadata.name, podSettings(folder, spec).KURZ_ROLES])).toEqual([
      ["kurz-redirect", "redirect"],
      ["kurz-control", "control"],
    ]);
    const budgets = manifestsOf<PodDisruptionBudget>(folder, "PodDisruptionBudget");
    for (const { spec } of nodes) {
      const [budget, ...others] = budgets.filter((one) => Bun.deepEquals(one.spec.selector, spec.selector));
      expect(others).toEqual([]);
      expect(budget?.spec.maxUnavailable).toBe(1);
      expect(spec.replicas).toBeGreaterThan(1);
    }
  });

  test("sends what isn't a short link to control, and redirect nodes know where it is", () => {
    const [ingress] = manifestsOf<Ingress>(folder, "Ingress");
    const paths = ingress?.spec.rules.flatMap(({ http }) =>
      http.paths.map(({ path, backend }) => [path, backend.service.name]),
    );
    expect(paths).toEqual([
      ["/api", "kurz-control"],
      ["/console", "kurz-control"],
      ["/docs", "kurz-control"],
      ["/", "kurz-redirect"],
    ]);
    const [redirect] = nodes;
    expect(redirect && podSettings(folder, redirect.spec).KURZ_CONTROL_URL).toBe("http://kurz-control");
  });

  test("differs from one node only where it must", () => {
    const [single] = statefulSetsOf(readKubernetes("base"));
    const common = (spec: StatefulSet | undefined) => {
      const { containers, securityContext, volumes } = spec?.template.spec ?? {};
      const { startupProbe, livenessProbe, readinessProbe, ports, volumeMounts } = containers?.[0] ?? {};
      return { securityContext, volumes, startupProbe, livenessProbe, readinessProbe, ports, volumeMounts };
    };
    for (const { spec } of nodes) expect(common(spec)).toEqual(common(single?.spec));
  });
});
