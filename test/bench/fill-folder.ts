import { createHash } from "node:crypto";
import type { Receipt } from "../../gateway/contract/receipt.ts";
import type { HistoryEntry } from "../../gateway/core/history/history-entry.ts";
import { systemClock } from "../../gateway/lib/clock.ts";
import { fileSealer } from "../../gateway/store/data-key.ts";
import { HistoryLog } from "../../gateway/store/history/history-log.ts";
import { MediaStore } from "../../gateway/store/media/media-store.ts";
import type { Change } from "../../gateway/store/document.ts";
import { nodeStoreFs } from "../../gateway/store/disk/store-fs.ts";
import { openStore } from "../../gateway/store/open-store.ts";
import type { StoreEvent } from "../../gateway/store/store-event.ts";
import { TaskArchive } from "../../gateway/store/tasks/task-archive.ts";
import { receiptOf } from "../e2e/browser/receipts.ts";
import { mediaOrigin } from "../support/media-samples.ts";
import { jpeg } from "../support/pictures.ts";
import { closedTask, taskId, taskOrder, taskReceipt } from "../support/tasks.ts";

/** How much a data folder holds. */
export interface Amounts {
  readonly receipts: number;
  readonly tasks: number;
  readonly media: number;
  readonly models: number;
  readonly keys: number;
  /** Responses of agents before Postern. */
  readonly history?: number;
}

const DAY_MS = 86_400_000;
const SPAN_MS = 90 * DAY_MS;
/** Tasks that are still in the document; the others are in the archive. */
const LIVE_TASKS = 500;
const PICTURES = 24;
/** Receipts of a session, one after another of the same agent. */
const TURNS = 50;
const PROJECTS = 12;
const ROUTES = 3;

export const secretOf = (index: number): string => `sk-bench-key-${String(index).padStart(4, "0")}`;
export const modelOf = (index: number): string => `bench-model-${String(index).padStart(3, "0")}`;
const keyOf = (index: number): string => `key_bench${index}`;

/**
 * Nothing that the store refuses or finds wrong is passed over: a benchmark would measure without it.
 * @throws Error with what it says.
 */
export function nothingRefused({ level, event, message }: StoreEvent): void {
  if (level !== "info") throw new Error(`${event}: ${message}`);
}

/** What the receipts of agents say in addition: every second one is of Claude Code or Codex (receipts.ts). */
function agentFields(index: number): Partial<Receipt> {
  if (index % 4 === 1 || index % 4 === 2) return {};
  const session = Math.floor(index / (4 * TURNS)) * 4 + (index % 4);
  const tools = 40 + (index % 100);
  return {
    endpoint: index % 4 === 0 ? "messages" : "responses",
    session: `session-${String(session).padStart(8, "0")}`,
    project: `project-${session % PROJECTS}`,
    ...(index % 40 === 0 && { agent: "explore" }),
    context: { system: 60, tools, results: 30, messages: 50 },
    wait_ms: index % 7,
    connect_ms: 0,
    attempts: 1,
  };
}

/** Budgets and routes, as an owner has them who uses both. */
const SCOPES: readonly Change[] = [
  { op: "put", in: "budgets", record: budgetOf("daily", "client", "claude-*") },
  { op: "put", in: "budgets", record: budgetOf("monthly", "client", "codex*") },
  { op: "put", in: "budgets", record: budgetOf("monthly", "project", "project-1*") },
  ...Array.from({ length: ROUTES }, (_, index): Change => {
    const rule = { when: { input_tokens_above: 20_000 }, models: [modelOf(index + 2)], enabled: true };
    const models = [modelOf(index), modelOf(index + 1)];
    const how = { order: "listed", sticky: true, enabled: true, created_at: 1 } as const;
    return { op: "put", in: "routes", record: { id: `route-${index}`, models, rules: [rule], ...how } };
  }),
];

function budgetOf(reset: "daily" | "monthly", kind: "client" | "project", name: string) {
  const scope = { kind, name };
  return { id: `${reset}|${kind}|${name}`, scope, reset, limit_nano: 1_000_000_000_000_000, created_at: 1 };
}

/** What an agent logged before Postern came. */
const historyEntry = (index: number, at: number): HistoryEntry => ({
  agent: "claude-code",
  key: `msg_${String(index).padStart(20, "0")}`,
  scope: "",
  at,
  model: ["claude-sonnet-4-5", "claude-opus-4-5", "claude-haiku-4-5"][index % 3] ?? "",
  session: `before-${Math.floor(index / TURNS)}`,
  project: `/home/me/project-${Math.floor(index / TURNS) % PROJECTS}`,
  served: "",
  sidechain: false,
  postern: false,
  tokens: [12 + (index % 90), 20_000 + ((index * 7_919) % 90_000), 900 + (index % 3_000), 0, 200 + (index % 900), 0],
});

/** Fills a fresh data folder with three months of use that end now. */
export async function fillFolder(dir: string, amounts: Amounts): Promise<void> {
  const options = { dir, clock: systemClock, log: nothingRefused };
  const first = Date.now() - SPAN_MS;
  const store = await openStore({ ...options, sealer: fileSealer() });
  await store.commit(
    Array.from({ length: amounts.keys }, (_, index) => {
      const secret = secretOf(index);
      return {
        op: "put",
        in: "keys",
        record: {
          id: keyOf(index),
          hash: createHash("sha256").update(secret).digest("hex"),
          prefix: secret.slice(0, 5),
          last4: secret.slice(-4),
          name: `Key of bench ${index}`,
          models: null,
          limit_nano: index % 2 === 0 ? null : 1_000_000_000_000_000,
          reset: "monthly",
          expires_at: null,
          rpm: null,
          concurrency: null,
          disabled: false,
          origin: "created",
          created_at: first,
        },
      } as const;
    }),
  );
  await store.commit(SCOPES);
  for (let index = 0; index < amounts.receipts; index += 1) {
    const at = Math.round(first + ((index + 1) / amounts.receipts) * SPAN_MS);
    const change = { at, key: keyOf(index % amounts.keys), model: modelOf((index * 7) % amounts.models) };
    const written = store.usage.settle(receiptOf(index, { ...change, ...agentFields(index) }));
    if (index % 2_000 === 0) await written;
  }
  const taskAt = (index: number): number => Math.round(first + ((index + 1) / (amounts.tasks + 1)) * SPAN_MS);
  const task = (index: number) => {
    const at = taskAt(index);
    const prompt = `A lighthouse at dusk in gouache, with the beam just lit and the sea still bright, number ${index}.`;
    return closedTask({
      id: taskId(index, at),
      request_id: `req_task_${index}`,
      key: keyOf(index % amounts.keys),
      model: modelOf(index % 9),
      created_at: at,
      finished_at: at + 90_000,
      operation: { id: `provider-${index}` },
      order: taskOrder({ prompt, request: { model: modelOf(index % 9), input: { prompt }, duration: 5 } }),
      bill: { receipt: taskReceipt({ id: `req_task_${index}`, at }), counted: true },
    });
  };
  const tasks = Array.from({ length: amounts.tasks }, (_, index) => task(index));
  const archived = tasks.slice(0, Math.max(0, amounts.tasks - LIVE_TASKS));
  const archive = new TaskArchive({ ...options, fs: nodeStoreFs, notices: { add: () => undefined }, readOnly: false });
  for (let start = 0; start < archived.length; start += 1_000) await archive.add(archived.slice(start, start + 1_000));
  await archive.close();
  await store.commit(tasks.slice(archived.length).map((record) => ({ op: "put", in: "tasks", record }) as const));
  await store.close();

  const media = await MediaStore.open({ ...options, ledger: null, readOnly: false });
  const pictures = Array.from({ length: PICTURES }, (_, index) => jpeg(256 + 8 * index, 256));
  for (let start = 0; start < amounts.media; start += 500) {
    const part = Array.from({ length: Math.min(500, amounts.media - start) }, (_, offset) => start + offset);
    await Promise.all(
      part.map(async (index) => {
        const picture = pictures[index % PICTURES];
        if (picture === undefined) throw new Error("no picture");
        const id = `media_${String(index).padStart(16, "0")}`;
        const saved = await media.save(id, [picture]);
        const at = Math.round(first + ((index + 1) / amounts.media) * SPAN_MS);
        const origin = mediaOrigin({
          request_id: `req_media_${index}`,
          key: keyOf(index % amounts.keys),
          model: modelOf(index % 9),
          prompt: `A lighthouse at dusk, number ${index}.`,
        });
        const { type, sha256, measure, bytes } = saved;
        const entry = { id, at, kind: type.kind, type: type.type, bytes };
        const sizes = { sha256, width: measure.width, height: measure.height, duration_ms: measure.durationMs };
        return media.enter({ ...entry, ...sizes, origin }, saved);
      }),
    );
  }
  await media.close();

  const { history: imported = 0 } = amounts;
  const history = new HistoryLog({ dir, readOnly: false });
  for (let start = 0; start < imported; start += 1_000) {
    const entries = Array.from({ length: 1_000 }, (_, offset) =>
      historyEntry(start + offset, Math.round(first - SPAN_MS + ((start + offset + 1) / imported) * SPAN_MS)),
    );
    const read = { file: `/home/me/.claude/projects/p/${start}.jsonl`, from: 0, to: 1_000_000, tail: "0", state: null };
    await history.add({ agent: "claude-code", ...read, entries });
  }
  await history.close();
}
