import * as z from "zod";
import { sha256 } from "../../lib/ids.ts";
import { isRecord } from "../../lib/records.ts";
import { findCount, findMoment, findName } from "./history-entry.ts";
import type { HistoryEntry, HistoryTokens } from "./history-entry.ts";
import { findObject } from "./log-reader.ts";
import type { OurReceipts } from "./our-receipts.ts";
import type { LogPlace, LogReader, ReadLine } from "./log-reader.ts";

/**
 * Session logs of Codex, `sessions/YYYY/MM/DD/rollout-….jsonl` and `archived_sessions`: one JSON object a line. The
 * format is not documented; facts are from Codex' source code (https://github.com/openai/codex, protocol.rs) and from
 * ccusage (https://github.com/ccusage/ccusage, rust/adapters/codex, read 2026-11-24):
 * - `event_msg` of type `token_count` comes after each response, and again when rate limits change, then with an
 *   unchanged `total_token_usage`, which is the session's total. `last_token_usage` is the response's; older logs have
 *   only the total. Cached tokens are part of the input, reasoning is part of the output.
 * - `turn_context` has the model of the following responses. Sessions before 2025-09-06 have none; they ran gpt-5.
 * - The log of a fork or of a sub-agent begins with its parent's usage, with the time of the fork.
 */
const MARKS = ["token_count", "turn_context", "session_meta", "thread_settings_applied"].map((mark) =>
  Buffer.from(`"${mark}"`),
);
const NAMELESS_MODEL = "gpt-5";
/** Postern's provider id in Codex' configuration (`core/clients/tools/codex.ts`). */
const OWN_PROVIDER = "postern";
/** Max milliseconds between copied usage entries of a parent; the fork's own first response takes longer. */
const BURST_PAUSE_MS = 1_000;

const figures = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()]);
/** Input, cached input, cache writes, output, reasoning, all: as the log has them, parts within their wholes. */
export type CodexUsage = z.infer<typeof figures>;

const stateSchema = z.object({
  /** Whether it is known whose log it is. */
  begun: z.boolean(),
  session: z.string(),
  project: z.string(),
  postern: z.boolean(),
  model: z.string().nullable(),
  tier: z.string(),
  total: figures.nullable(),
  parent: z.string().nullable(),
  forkedAt: z.number().nullable(),
  /** How many of its parent's responses it has repeated; `burst`: they come right after this moment; null: no more. */
  replay: z.union([z.object({ index: z.number() }), z.object({ burst: z.number() })]).nullable(),
});
type State = z.infer<typeof stateSchema>;

/** Usage of a session, response by response. */
export interface CodexHistory {
  readonly at: number;
  readonly usage: CodexUsage;
}

export interface CodexLogParts {
  readonly place: LogPlace;
  /** Saved state of an earlier reader of this log; null to start at the beginning. */
  readonly state: unknown;
  /** Usage of its parent; empty if the parent's log is missing. */
  readonly parent: readonly CodexHistory[];
  readonly receipts: Pick<OurReceipts, "hasUsed">;
}

/** The identity in a log's first line; null without one. */
export interface CodexHead {
  readonly session: string;
  readonly parent: string | null;
}

export function codexHead(first: Buffer): CodexHead | null {
  const line = findObject(first);
  const payload = line?.["type"] === "session_meta" ? line["payload"] : undefined;
  const session = isRecord(payload) ? findName(payload["id"]) : null;
  return isRecord(payload) && session !== null ? { session, parent: findParent(payload) } : null;
}

export class CodexLog implements LogReader {
  readonly #state: State;
  /** The entries that it may repeat: its parent's history up to the fork. */
  readonly #parent: readonly CodexHistory[];
  #entries: HistoryEntry[] = [];
  /** First response of a fork without a parent, held until the next one shows whether it is a repetition. */
  #pending: HistoryEntry | null = null;
  readonly #receipts: Pick<OurReceipts, "hasUsed">;
  readonly #history: CodexHistory[] | null;

  /** @param history takes every response of the log, repeated ones too */
  constructor({ place, state, parent, receipts }: CodexLogParts, history: CodexHistory[] | null = null) {
    const known = stateSchema.safeParse(state);
    this.#state = known.success ? known.data : newState(place.stem);
    this.#parent = parent;
    this.#receipts = receipts;
    this.#history = history;
  }

  /** The session that it was forked from; null for others, and once it repeats nothing more. */
  get parent(): string | null {
    return this.#state.replay === null ? null : this.#state.parent;
  }

  get state(): unknown {
    return { ...this.#state };
  }

  take(): readonly HistoryEntry[] {
    if (this.#pending !== null) {
      this.#entries.push(this.#pending);
      this.#pending = null;
      this.#state.replay = null;
    }
    return this.#entries.splice(0);
  }

  read(bytes: Buffer): ReadLine {
    if (!MARKS.some((mark) => bytes.includes(mark))) return "other";
    const line = findObject(bytes);
    if (line === undefined) return "broken";
    const { type, payload } = line;
    if (!isRecord(payload)) return "other";
    if (type === "session_meta") return this.#readMeta(payload, findMoment(line["timestamp"]));
    if (type === "turn_context") {
      this.#state.model = findModel(payload) ?? this.#state.model;
      return "read";
    }
    if (type !== "event_msg") return "other";
    if (payload["type"] === "thread_settings_applied") return this.#readSettings(payload);
    const at = findMoment(line["timestamp"]);
    if (payload["type"] !== "token_count" || at === null) return "other";
    return this.#readCount(payload, at) ? "read" : "other";
  }

  /** Reads the identity from the first metadata line; later ones are its ancestors'. */
  #readMeta(payload: Payload, at: number | null): ReadLine {
    const state = this.#state;
    if (state.begun) return "other";
    state.begun = true;
    state.session = findName(payload["id"]) ?? state.session;
    state.project = findName(payload["cwd"]) ?? "";
    state.postern = payload["model_provider"] === OWN_PROVIDER;
    state.parent = findParent(payload);
    state.forkedAt = at;
    state.replay = state.parent === null || state.parent === state.session ? null : { index: 0 };
    return "read";
  }

  #readSettings({ thread_settings }: Payload): ReadLine {
    const tier = isRecord(thread_settings) ? findName(thread_settings["service_tier"]) : null;
    // An event without a tier leaves it unchanged.
    if (tier !== null) this.#state.tier = tier === "fast" || tier === "priority" ? "service_tier=priority" : "";
    return "read";
  }

  #readCount(payload: Payload, at: number): boolean {
    const state = this.#state;
    state.begun = true;
    const info = isRecord(payload["info"]) ? payload["info"] : {};
    const total = findUsage(info["total_token_usage"]);
    const last = findUsage(info["last_token_usage"]);
    const before = state.total;
    if (total !== null) state.total = total;
    const used = last !== null && !(total !== null && isSame(total, before)) ? last : difference(total, before);
    if (used === null || used.slice(0, 5).every((count) => count === 0)) return false;
    const usage = within(used);
    this.#history?.push({ at, usage });
    state.model = findModel(payload) ?? findModel(info) ?? state.model ?? NAMELESS_MODEL;
    const tokens = readTokens(usage);
    const entry: HistoryEntry = {
      agent: "codex",
      key: sha256(["codex", at, state.model, ...usage].join("\n")).slice(0, 16),
      scope: "",
      at,
      model: state.model,
      session: state.session,
      project: state.project,
      served: state.tier,
      sidechain: state.parent !== null,
      postern: state.postern || this.#receipts.hasUsed({ at, model: state.model, tokens }),
      tokens,
    };
    if (!this.#isRepeated(entry, usage)) this.#entries.push(entry);
    return true;
  }

  /** Tells whether a response must not be counted, at least not yet. */
  #isRepeated(entry: HistoryEntry, usage: CodexUsage): boolean {
    const { replay, forkedAt } = this.#state;
    if (replay === null) return false;
    if ("index" in replay) {
      const theirs = this.#parent[replay.index];
      if (theirs !== undefined && (forkedAt === null || theirs.at <= forkedAt) && isSame(theirs.usage, usage)) {
        this.#state.replay = { index: replay.index + 1 };
        return true;
      }
      this.#state.replay = replay.index > 0 ? null : { burst: entry.at };
      if (replay.index > 0) return false;
      this.#pending = entry;
      return true;
    }
    const pause = entry.at - replay.burst;
    if (pause >= 0 && pause <= BURST_PAUSE_MS) {
      this.#pending = null;
      this.#state.replay = { burst: entry.at };
      return true;
    }
    if (this.#pending !== null) this.#entries.push(this.#pending);
    this.#pending = null;
    this.#state.replay = null;
    return false;
  }
}

type Payload = Readonly<Record<string, unknown>>;

const newState = (session: string): State => ({
  begun: false,
  session,
  project: "",
  postern: false,
  model: null,
  tier: "",
  total: null,
  parent: null,
  forkedAt: null,
  replay: null,
});

function findParent(payload: Payload): string | null {
  const forked = findName(payload["forked_from_id"]);
  if (forked !== null) return forked;
  const { source } = payload;
  const subagent = isRecord(source) ? source["subagent"] : undefined;
  const spawn = isRecord(subagent) ? subagent["thread_spawn"] : undefined;
  return isRecord(spawn) ? findName(spawn["parent_thread_id"]) : null;
}

function findModel(payload: Payload): string | null {
  const { metadata } = payload;
  return (
    findName(payload["model"]) ??
    findName(payload["model_name"]) ??
    (isRecord(metadata) ? findName(metadata["model"]) : null)
  );
}

function findUsage(value: unknown): CodexUsage | null {
  if (!isRecord(value)) return null;
  const of = (...names: readonly string[]): number => {
    for (const name of names) if (value[name] !== undefined && value[name] !== null) return findCount(value[name]);
    return 0;
  };
  const [input, output] = [of("input_tokens"), of("output_tokens")];
  return [
    input,
    of("cached_input_tokens", "cache_read_input_tokens"),
    of("cache_write_input_tokens"),
    output,
    of("reasoning_output_tokens"),
    of("total_tokens") || input + output,
  ];
}

const isSame = (one: CodexUsage, other: CodexUsage | null): boolean =>
  other !== null && one.every((count, index) => count === other[index]);

/** Returns the growth of a total. A total that was reset has not grown. */
function difference(total: CodexUsage | null, before: CodexUsage | null): CodexUsage | null {
  if (total === null || before === null) return total;
  return total.map((count, index) => Math.max(0, count - (before[index] as number))) as CodexUsage;
}

/** Limits parts to the size of their whole. */
function within([input, cached, written, output, reasoning, all]: CodexUsage): CodexUsage {
  const read = Math.min(cached, input);
  return [input, read, Math.min(written, input - read), output, Math.min(reasoning, output), all];
}

const readTokens = ([input, cached, written, output, reasoning]: CodexUsage): HistoryTokens => [
  input - cached - written,
  cached,
  written,
  0,
  output - reasoning,
  reasoning,
];
