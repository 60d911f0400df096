import { join } from "node:path";
import { bifrost, ccproxy, ccr, codex, litellm, llms, nginx, portkey, postern } from "./launches.ts";
import type { Launch, Place } from "./launches.ts";
import type { PeerName } from "./install.ts";

/** What a client speaks: Messages are asked of a provider that speaks chat only, so they are translated. */
export type Dialect = "chat" | "messages";

/** How to ask a contender. */
export interface Asking {
  readonly dialect: Dialect;
  readonly path: string;
  readonly model: string;
  /** In addition to content-type and authorization. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One program in one set-up. */
export interface Contender {
  readonly label: string;
  /** What Postern does for each request in its own row and this one does not. */
  readonly leavesOut: string;
  /** Something that people could choose instead of Postern; not nginx or the mock. */
  readonly gateway: boolean;
  /** What has to be installed for it; null when the machine or the project has it. */
  readonly peer: PeerName | null;
  /** Which path takes a dialect. A dialect without one is not spoken. */
  readonly paths: Readonly<Partial<Record<Dialect, string>>>;
  /** The mock's model, in the words of this program. */
  readonly model?: string;
  readonly headers?: (upstreamPort: number) => Readonly<Record<string, string>>;
  /** Null for the mock itself. */
  readonly launch: ((place: Place) => Launch) | null;
}

/** Names of those who take part, in the order of the tables. */
export const CONTENDERS = [
  "direct",
  "nginx",
  "portkey",
  "llms",
  "ccr",
  "ccr-books",
  "litellm",
  "litellm-books",
  "bifrost",
  "bifrost-books",
  "ccproxy",
  "codex",
  "postern",
  "postern-no-limit",
] as const;
export type ContenderName = (typeof CONTENDERS)[number];

const MODEL = "gpt-4o-mini";
const CHAT = "/v1/chat/completions";
const BOTH = { chat: CHAT, messages: "/v1/messages" };
const NOTHING_KEPT = "local keys, spend, limits, receipts, access log";

const table: Readonly<Record<ContenderName, Contender>> = {
  direct: { label: "direct", leavesOut: "", gateway: false, peer: null, paths: { chat: CHAT }, launch: null },
  nginx: {
    label: "nginx",
    leavesOut: `${NOTHING_KEPT}, reading requests and responses`,
    gateway: false,
    peer: null,
    paths: { chat: CHAT },
    launch: nginx,
  },
  portkey: {
    label: "@portkey-ai/gateway",
    leavesOut: NOTHING_KEPT,
    gateway: true,
    peer: "node",
    paths: BOTH,
    headers: (port) => ({
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": `http://127.0.0.1:${port}/v1`,
    }),
    launch: portkey,
  },
  llms: {
    label: "@musistudio/llms",
    leavesOut: NOTHING_KEPT,
    gateway: true,
    peer: "node",
    paths: BOTH,
    model: `mock,${MODEL}`,
    launch: llms,
  },
  ccr: {
    label: "Claude Code Router, books off",
    leavesOut: "spend, limits, receipts, access log",
    gateway: true,
    peer: "ccr",
    paths: BOTH,
    model: `mock,${MODEL}`,
    launch: (place) => ccr(place, false),
  },
  "ccr-books": {
    label: "Claude Code Router, request log and key limits",
    leavesOut: "USD limits, receipts that outlive a kill",
    gateway: true,
    peer: "ccr",
    paths: BOTH,
    model: `mock,${MODEL}`,
    launch: (place) => ccr(place, true),
  },
  litellm: {
    label: "LiteLLM, no key",
    leavesOut: "local keys, limits, receipts",
    gateway: true,
    peer: "litellm",
    paths: BOTH,
    launch: (place) => litellm(place, false),
  },
  "litellm-books": {
    label: "LiteLLM, master key and provider budget",
    leavesOut: "limits of a key, receipts (both need Postgres)",
    gateway: true,
    peer: "litellm",
    paths: BOTH,
    launch: (place) => litellm(place, true),
  },
  bifrost: {
    label: "Bifrost, logs off",
    leavesOut: NOTHING_KEPT,
    gateway: true,
    peer: "bifrost",
    paths: { chat: CHAT, messages: "/anthropic/v1/messages" },
    model: `openai/${MODEL}`,
    launch: (place) => bifrost(place, false),
  },
  "bifrost-books": {
    label: "Bifrost, request log",
    leavesOut: "local keys, limits",
    gateway: true,
    peer: "bifrost",
    paths: { chat: CHAT, messages: "/anthropic/v1/messages" },
    model: `openai/${MODEL}`,
    launch: (place) => bifrost(place, true),
  },
  ccproxy: {
    label: "ccproxy",
    leavesOut: "local keys, spend, limits, receipts",
    gateway: true,
    peer: "ccproxy",
    paths: { messages: "/v1/messages" },
    launch: ccproxy,
  },
  codex: {
    label: "codex responses-api-proxy",
    leavesOut: `${NOTHING_KEPT}, reading requests and responses`,
    gateway: true,
    peer: "codex",
    // It passes whatever comes here on to one URL, so the mock is asked for a chat completion as always.
    paths: { chat: "/v1/responses" },
    launch: codex,
  },
  postern: {
    label: "Postern",
    leavesOut: "",
    gateway: false,
    peer: null,
    paths: BOTH,
    launch: (place) => postern(place, 1_000_000),
  },
  "postern-no-limit": {
    label: "Postern, key without USD limit",
    leavesOut: "the key's limit",
    gateway: false,
    peer: null,
    paths: BOTH,
    launch: (place) => postern(place, null),
  },
};

/** What is known of a contender. */
export function contender(name: ContenderName): Contender {
  return table[name];
}

/** How to ask a contender. @throws Error when it does not speak the dialect. */
export function askingOf(name: ContenderName, dialect: Dialect, upstreamPort: number): Asking {
  const { paths, model = MODEL, headers } = table[name];
  const path = paths[dialect];
  if (path === undefined) throw new Error(`${name} does not speak ${dialect}.`);
  const version: Record<string, string> = dialect === "messages" ? { "anthropic-version": "2023-06-01" } : {};
  return { dialect, path, model, headers: { ...version, ...headers?.(upstreamPort) } };
}

/** Where a contender's peer is installed below `peers`; "" for one that needs none. */
export function peerFolder(name: ContenderName, peers: string): string {
  const { peer } = table[name];
  return peer === null ? "" : join(peers, peer);
}
