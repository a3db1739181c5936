import { afterAll, expect, test } from "bun:test";
import { podSettings, readKubernetes, statefulSetsOf } from "#test/support/kubernetes.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";

const folder = readKubernetes("base");
const [pod] = statefulSetsOf(folder);
if (!pod) throw new Error("there is no pod");
const container = pod.spec.template.spec.containers[0];
let server: KurzServer | undefined;

afterAll(async () => void (await server?.stop()));

test("Kurz starts with the settings of a pod, and answers its probes as Kubernetes asks", async () => {
  // On this machine, and beside other servers.
  const { KURZ_METRICS_ADDR: _, ...settings } = podSettings(folder, pod.spec);
  server = await startKurz({ env: settings });
  const { startupProbe, livenessProbe, readinessProbe } = container;
  for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
    // The host is the pod's address, which is no host of Kurz.
    const { status } = await fetch(server.url + httpGet.path, {
      headers: { host: "10.1.2.3:8080", "user-agent": "kube-probe/1.34" },
    });
    expect({ path: httpGet.path, status }).toEqual({ path: httpGet.path, status: 200 });
  }
});

test("a pod with the variables of a service named kurz doesn't start, which is why the manifests turn them off", async () => {
  const links = { KURZ_SERVICE_HOST: "10.96.0.10", KURZ_SERVICE_PORT: "80", KURZ_PORT: "tcp://10.96.0.10:80" };
  await expect(startKurz({ env: links })).rejects.toThrow("KURZ_SERVICE_HOST is not a setting");
  expect(pod.spec.template.spec.enableServiceLinks).toBe(false);
});
