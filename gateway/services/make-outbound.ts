import type { ProxyCheck } from "../contract/control.ts";
import { showProxy } from "../contract/proxy.ts";
import type { KnownSecrets } from "../lib/known-secrets.ts";
import { getMessage } from "../lib/message-of.ts";
import { portUser } from "../store/disk/port-holder.ts";
import { Downloader } from "../upstream/download.ts";
import { openTunnel } from "../upstream/outbound.ts";
import { ProviderClient } from "../upstream/provider-client.ts";
import type { Reach } from "../upstream/reach.ts";
import { ServiceClient } from "../upstream/service-client.ts";
import type { TimeLimits } from "./calls/time-limits.ts";
import type { Connections } from "./connections/connections.ts";
import { ProxyFinder } from "./find-proxy.ts";
import type { FindProxyDeps } from "./find-proxy.ts";
import type { AppSettings } from "./settings.ts";

export interface OutboundInputs extends Pick<FindProxyDeps, "variables" | "resolveSystemProxy"> {
  readonly secrets: KnownSecrets;
  readonly settings: AppSettings;
  readonly timeLimits: Pick<TimeLimits, "connectMs">;
  readonly connections: Connections;
  readonly ownPort: () => number;
}

/** How long a check of a proxy waits for its connection. */
const CHECK_TIMEOUT_MS = 5_000;

/** Makes the clients for requests that leave Postern; all of them go by the proxies that the user chose. */
export function makeOutbound({ secrets, settings, timeLimits, connections, ownPort, ...system }: OutboundInputs) {
  const proxies = new ProxyFinder({ ...system, setting: () => settings.proxyAddress(), connections });
  const providerClient = new ProviderClient(secrets, {
    portUid: async (port) => {
      const user = await portUser(port);
      return user === undefined || user === null ? user : user.uid;
    },
    findProxy: (url, choice) => proxies.find(url, choice),
    connectMs: () => timeLimits.connectMs,
  });
  /** Returns the targets that downloads and webhook deliveries may reach in addition to the open internet. */
  const reach = (): Reach => ({
    allowed: settings.allowedTargets(),
    ownPort: ownPort(),
    findProxy: (url, target) => proxies.findProxy(url, target),
  });
  return {
    proxies,
    providerClient,
    reach,
    downloader: new Downloader(reach),
    serviceClient: new ServiceClient(reach, secrets),
    checkProxies: () => checkProxies(proxies, connections),
  };
}

/** Opens a tunnel to one provider through each proxy in use, and sends nothing through it. */
async function checkProxies(proxies: ProxyFinder, connections: Connections): Promise<readonly ProxyCheck[]> {
  const checks = new Map<string, Promise<ProxyCheck>>();
  for (const { name, origin, peer, enabled } of connections.all()) {
    const url = new URL(origin);
    const proxy = enabled ? await proxies.find(url, peer?.proxy ?? null) : null;
    if (proxy === null) continue;
    const shown = showProxy(proxy);
    const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
    const check = async (): Promise<ProxyCheck> => {
      try {
        (await openTunnel(proxy, url.hostname, port, CHECK_TIMEOUT_MS)).destroy();
        return { proxy: shown, connection: name, ok: true, message: "It takes connections." };
      } catch (error) {
        return { proxy: shown, connection: name, ok: false, message: `${getMessage(error)}.` };
      }
    };
    if (!checks.has(shown)) checks.set(shown, check());
  }
  return Promise.all(checks.values());
}
