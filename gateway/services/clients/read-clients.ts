import type { ClientFileView, ClientId, ClientsView, ClientView } from "../../contract/clients.ts";
import type { Totals } from "../../contract/totals.ts";
import { listParts } from "../../core/clients/client-kind.ts";
import { USUAL_CONTEXT } from "../../core/clients/offered.ts";
import { clientKinds } from "../../core/clients/client-kinds.ts";
import type { ClientKind } from "../../core/clients/client-kind.ts";
import { applySettings, hasMarks, readData, readText } from "../../core/clients/edit-file.ts";
import { manualTexts } from "../../core/clients/manual.ts";
import { listClientLoops, listConnectionLoops, samePlace } from "../../core/clients/self-loop.ts";
import type { Connection, Relay } from "../../core/clients/self-loop.ts";
import { GatewayError } from "../../core/errors.ts";
import { utcDay } from "../../lib/clock.ts";
import type { FoundFile } from "../../store/clients/client-files.ts";
import type { StoredClient, StoredClientFile } from "../../store/document.ts";
import type { ClientDeps } from "./client-deps.ts";
import { hashOffered } from "./connect-client.ts";
import { findPlaces } from "./draft-files.ts";
import { getValue } from "../../core/clients/data.ts";
import type { Data } from "../../core/clients/data.ts";
import { joinPath } from "../../core/clients/place.ts";

const USUAL_PORT = 3_456;

/**
 * Finds other gateways on this machine whose configuration names their targets: Claude Code Router, by
 * `~/.claude-code-router/config.json` with `PORT` and `Providers[].api_base_url`
 * (github.com/musistudio/claude-code-router). Unreadable files are skipped, because this is only a warning.
 */
async function findRelays({ machine, clientFiles }: ClientDeps): Promise<readonly Relay[]> {
  if (machine.home === null) return [];
  try {
    const { bytes } = await clientFiles.read(joinPath(machine, machine.home, ".claude-code-router", "config.json"));
    if (bytes === null) return [];
    const data = readData("json", readText(bytes));
    const port = Number(getValue(data, ["PORT"]) ?? USUAL_PORT);
    const providers = getValue(data, ["Providers"]);
    const targets = (Array.isArray(providers) ? (providers as Data[]) : [])
      .map((provider) => getValue(provider, ["api_base_url"]))
      .filter((url) => typeof url === "string");
    return [{ name: "Claude Code Router", address: `http://127.0.0.1:${port}`, targets }];
  } catch (error) {
    if (error instanceof GatewayError) return [];
    throw error;
  }
}

/** Placeholders for a key and a model in texts to copy. */
const YOUR_KEY = "YOUR_KEY";
const YOUR_MODEL = "YOUR_MODEL";

const BY_HAND: readonly { readonly id: ClientId; readonly name: string }[] = [
  { id: "copilot-cli", name: "Copilot CLI" },
  { id: "open-webui", name: "Open WebUI" },
  { id: "langchain", name: "LangChain" },
  { id: "openai-sdk", name: "OpenAI SDK" },
  { id: "anthropic-sdk", name: "Anthropic SDK" },
];

/** Returns the current state of clients; files are read, nothing is written. */
export async function readClients(deps: ClientDeps): Promise<ClientsView> {
  const origin = deps.origin();
  const relays = await findRelays(deps);
  const connections = deps.connections
    .all()
    .filter(({ enabled, from }) => enabled && from !== "sandbox")
    .map(({ name, baseUrl }) => ({ name, url: baseUrl }));
  const spend = await deps.usage.query({ by: "key", since: `${utcDay(deps.clock.now()).slice(0, 7)}-01` });
  const spent = new Map(spend.data.map(({ group, totals }) => [group, totals]));
  const data: ClientView[] = [];
  for (const kind of clientKinds) data.push(await getView(deps, kind, connections, relays, spent));
  for (const { id, name } of BY_HAND) data.push(byHand(id, name, origin));
  return {
    data,
    machine: deps.machine.home ?? "",
    loops: [...listConnectionLoops(origin, connections, relays)],
  };
}

type Spent = ReadonlyMap<string, Totals>;

async function getView(
  deps: ClientDeps,
  kind: ClientKind,
  connections: readonly Connection[],
  relays: readonly Relay[],
  spent: Spent,
): Promise<ClientView> {
  const { store, machine, keyRing } = deps;
  const origin = deps.origin();
  const record = store.document.clients.get(kind.id);
  const writes = listParts(kind);
  const files: ClientFileView[] = [];
  let calls: string | null = null;
  const trace = kind.link?.trace(machine) ?? null;
  let found = trace !== null && (await deps.clientFiles.folderThere(trace));
  for (const { place, files: parts } of await findPlaces(deps.clientFiles, kind, machine, writes)) {
    const stored = record?.files.find(({ path }) => path === place.path);
    let view: Pick<ClientFileView, "state" | "reason">;
    try {
      const now = await deps.clientFiles.read(place.path);
      if (now.bytes !== null || (await deps.clientFiles.folderThere(place))) found = true;
      if (now.bytes !== null) {
        const data = readData(parts[0]?.format ?? "json", readText(now.bytes));
        calls = parts.find(({ part }) => part === "models")?.connected?.(data)?.url ?? calls;
      }
      await deps.clientFiles.requireWritable(place, now);
      view = { state: getFileState(now, stored), reason: null };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      found = true;
      view = { state: "refused", reason: error.message };
    }
    files.push({ parts: [...new Set(parts.map(({ part }) => part))], path: place.path, ...view });
  }
  const key = record === undefined ? undefined : keyRing.get(record.key_id);
  const totals = record === undefined ? undefined : spent.get(record.key_id);
  return {
    id: kind.id,
    name: kind.name,
    writes: [...writes],
    slots: [...kind.slots],
    has_picker: kind.hasPicker === true,
    key_elsewhere: kind.keyElsewhere === true,
    found,
    files,
    calls: calls === null || samePlace(calls, origin) ? null : calls,
    connected:
      record === undefined
        ? null
        : {
            at: record.at,
            parts: [...record.parts],
            models: record.models,
            key:
              key === undefined
                ? null
                : {
                    id: record.key_id,
                    name: key.record.name,
                    hint: `${key.record.prefix}…${key.record.last4}`,
                    state: keyRing.objection(key) === null ? "active" : "disabled",
                  },
            nano: totals?.nano ?? 0,
            sandbox_nano: totals?.sandbox_nano ?? 0,
            unpriced_requests: totals?.unpriced_requests ?? 0,
            requests: (totals?.requests ?? 0) + (totals?.sandbox_requests ?? 0),
            checks: [...record.checks],
            is_outdated: isOutdated(deps, kind, record),
          },
    loops: calls === null ? [] : [...listClientLoops(origin, calls, connections, relays)],
    manual: [...filesByHand(deps, kind), ...manualTexts(kind.id, origin, YOUR_KEY, YOUR_MODEL)],
  };
}

/** Whether an app's picker was given other models, or other sizes, than it would be given now. */
export function isOutdated(deps: ClientDeps, kind: ClientKind, { parts, models, offered_hash }: StoredClient): boolean {
  if (kind.hasPicker !== true || !parts.includes("models")) return false;
  return offered_hash !== hashOffered(deps, models);
}

/**
 * Compares only Postern's settings, because apps write other values to these files; Claude Code does so at each run.
 */
function getFileState({ bytes, digest }: FoundFile, stored: StoredClientFile | undefined): ClientFileView["state"] {
  if (bytes === null) return stored === undefined ? "missing" : "gone";
  if (stored === undefined || stored.after === null || digest === stored.before) return "there";
  if (digest === stored.after || digest === stored.pending) return "written";
  return hasMarks(stored.format, readText(bytes), stored.marks) ? "written" : "changed";
}

/** Returns the content of a client's files for manual setup, as if they were otherwise empty. */
function filesByHand(deps: ClientDeps, kind: ClientKind): ClientView["manual"] {
  const models =
    kind.slots[0] === "main" ? { main: YOUR_MODEL } : { opus: YOUR_MODEL, sonnet: YOUR_MODEL, haiku: YOUR_MODEL };
  const sizes = { context: USUAL_CONTEXT, output: USUAL_CONTEXT / 8, hasVision: true, isReasoning: false };
  const order = {
    origin: deps.origin(),
    key: YOUR_KEY,
    models,
    contextOf: () => USUAL_CONTEXT,
    offered: [{ id: YOUR_MODEL, name: YOUR_MODEL, ...sizes }],
  };
  return kind.files.map((file) => {
    const place = file.place({ ...deps.machine, home: deps.machine.home ?? "~" });
    const settings = file.settings(order).filter(({ onlyInNewFile }) => onlyInNewFile !== true);
    const { text } = applySettings(file.format, null, settings);
    return { label: place?.path ?? file.format, text: text.trimEnd() };
  });
}

function byHand(id: ClientId, name: string, origin: string): ClientView {
  return {
    id,
    name,
    writes: [],
    slots: [],
    has_picker: false,
    key_elsewhere: false,
    found: false,
    files: [],
    calls: null,
    connected: null,
    loops: [],
    manual: [...manualTexts(id, origin, YOUR_KEY, YOUR_MODEL)],
  };
}
