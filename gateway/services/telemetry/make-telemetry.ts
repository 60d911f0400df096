import { hostname } from "node:os";
import type { Receipt } from "../../contract/receipt.ts";
import type { CallNames } from "../../core/telemetry/call-facts.ts";
import type { Reading } from "../../core/telemetry/instruments.ts";
import type { Clock } from "../../lib/clock.ts";
import { sha256 } from "../../lib/ids.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { usdFromNano } from "../../lib/money.ts";
import { isProviderId, providers } from "../../providers/registry.ts";
import type { Store } from "../../store/store.ts";
import type { ServiceClient } from "../../upstream/service-client.ts";
import type { Admission } from "../calls/admission.ts";
import type { Connections } from "../connections/connections.ts";
import type { Events } from "../events.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { AppSettings } from "../settings.ts";
import { MetricsKey } from "./metrics-key.ts";
import { OtlpReceiver } from "./otlp-receiver.ts";
import { Telemetry } from "./telemetry.ts";

export interface TelemetryInputs {
  readonly dataDir: string;
  readonly version: string;
  readonly store: Store;
  readonly settings: AppSettings;
  readonly events: Events;
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly later: Later;
  readonly log: Log;
  readonly connections: Connections;
  readonly keyRing: KeyRing;
  readonly admission: Admission;
}

export function makeTelemetry(inputs: TelemetryInputs): Telemetry {
  const { settings, events, connections, keyRing, admission, clock } = inputs;
  const startedAt = clock.now();
  return new Telemetry({
    ...inputs,
    receiver: new OtlpReceiver(inputs),
    metricsKey: new MetricsKey({ store: inputs.store, settings, events, clock }),
    random: Math.random,
    // The instance id is the same at each start, and names no machine or folder.
    source: {
      version: inputs.version,
      instance: sha256(`${hostname()}:${inputs.dataDir}`).slice(0, 32),
      host: hostname(),
    },
    getNames: (receipt) => nameCall(receipt, connections, keyRing),
    readings: () => [...callReadings(admission, keyRing), ...listProcessReadings(startedAt)],
  });
}

/** Provider name of calls that Postern itself refused. */
const NOBODY = "postern";

function nameCall({ provider, connection, key }: Receipt, connections: Connections, keyRing: KeyRing): CallNames {
  const found = connections.get(connection);
  return {
    provider: provider === "" ? NOBODY : conventionalName(provider),
    // The sandbox has another port at each start.
    server: found === undefined || found.from === "sandbox" ? null : getServer(found.origin),
    key: keyRing.get(key)?.record.name ?? key,
  };
}

function conventionalName(provider: string): string {
  return (isProviderId(provider) ? providers[provider].telemetryName : undefined) ?? provider;
}

function getServer(origin: string): CallNames["server"] {
  const { hostname: address, port, protocol } = new URL(origin);
  return { address, port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) };
}

function callReadings(admission: Admission, keyRing: KeyRing): readonly Reading[] {
  return [
    {
      kind: "gauge",
      name: "postern.requests.running",
      unit: "{request}",
      about: "Calls that were let in and have not ended.",
      value: admission.inFlight,
    },
    {
      kind: "gauge",
      name: "postern.held_usd",
      unit: "{USD}",
      about: "Money that calls hold of the limits of keys and of the monthly budget.",
      // A hold counts against the key's limit and the budget if both are set.
      value: usdFromNano(Math.max(admission.heldNano, keyRing.heldNano)),
    },
  ];
}

const MICROSECONDS = 1_000_000;

/** Names as Prometheus' own client libraries give them. */
function listProcessReadings(startedAt: number): readonly Reading[] {
  const { user, system } = process.cpuUsage();
  return [
    {
      kind: "counter",
      name: "process.cpu.time",
      prometheus: "process_cpu_seconds_total",
      unit: "s",
      about: "CPU time of Postern, user and system.",
      value: (user + system) / MICROSECONDS,
    },
    {
      kind: "gauge",
      name: "process.memory.usage",
      prometheus: "process_resident_memory_bytes",
      unit: "By",
      about: "Memory of Postern that is resident.",
      value: process.memoryUsage.rss(),
    },
    {
      kind: "gauge",
      name: null,
      prometheus: "process_start_time_seconds",
      unit: "s",
      about: "When Postern was started, Unix seconds. Its counters begin then or later.",
      value: startedAt / 1_000,
    },
  ];
}
