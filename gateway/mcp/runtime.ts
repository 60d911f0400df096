import type { GatewayEvent } from "../contract/events.ts";
import type { RingKey } from "../services/keys/key-ring.ts";
import type { Log } from "../lib/log.ts";
import type { Events } from "../services/events.ts";
import type { KeyRing } from "../services/keys/key-ring.ts";
import { CallLog } from "./call-log.ts";
import { getCaller } from "./caller.ts";
import { McpEndpoint } from "./endpoint.ts";
import { ServerMaker } from "./make-server.ts";
import type { McpExtension } from "./make-server.ts";
import { ToolServerControl } from "./tool-server-control.ts";
import { Sessions } from "./sessions/sessions.ts";
import type { ToolDeps } from "./tool/tool-deps.ts";
import { ToolRunner } from "./tool/tool-runner.ts";
import { allTools } from "./tools/all-tools.ts";

export interface McpInputs extends ToolDeps {
  readonly log: Log;
  readonly events: Events;
  readonly keyRing: KeyRing;
  readonly version: string;
  readonly extension: McpExtension | null;
}

/** The running tool server. */
export interface McpRuntime {
  readonly endpoint: McpEndpoint;
  readonly control: ToolServerControl;
  /** A stop has started: idle event streams end, calls continue. */
  quiet(): void;
  close(): Promise<void>;
}

/** Window in which changes are combined, in milliseconds. */
const CHANGES_MS = 500;

/** After these a key's tools may name other models. */
const TELLING: readonly GatewayEvent["type"][] = [
  "connections.changed",
  "keys.changed",
  "models.changed",
  "settings.changed",
];

/** Assembles the MCP server. Its modules are loaded on first use. */
export function openMcp(inputs: McpInputs): McpRuntime {
  const { clock, later, log, events, keyRing } = inputs;
  const tools = allTools(inputs);
  const calls = new CallLog(clock, events);
  const runner = new ToolRunner({ clock, log, keyRing, calls });
  const servers = new ServerMaker({ ...inputs, tools, runner, resources: inputs });
  const sessions: Sessions = new Sessions({
    clock,
    later,
    secretOf: (keyId) => getKey(keyRing, keyId).hash,
    makeServer: (authInfo) => servers.make(getCaller(authInfo).key, endpoint.notify),
  });
  const endpoint: McpEndpoint = new McpEndpoint({ ...inputs, servers, sessions });
  let cancelNotice: (() => void) | null = null;
  const unsubscribe = events.subscribe(({ type }) => {
    if (type === "keys.changed") endpoint.endKeys();
    if (!TELLING.includes(type)) return;
    cancelNotice ??= later(CHANGES_MS, () => {
      cancelNotice = null;
      // Keys that have expired meanwhile get no notification.
      endpoint.endKeys();
      endpoint.toolsChanged();
    });
  });
  return {
    endpoint,
    control: new ToolServerControl({ ...inputs, tools, runner, calls, sessions }),
    quiet: () => sessions.endStanding(),
    close: async () => {
      unsubscribe();
      cancelNotice?.();
      await endpoint.close();
    },
  };
}

function getKey(keyRing: KeyRing, id: string): RingKey {
  const key = keyRing.get(id);
  if (key === undefined) throw new Error("authentication comes first");
  return key;
}
