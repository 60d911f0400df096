import { sha256 } from "../../lib/ids.ts";
import { isRecord } from "../../lib/records.ts";
import { servedFacts } from "../money/price.ts";
import { findCount, findMoment, findName, servedText, computeTotal } from "./history-entry.ts";
import type { HistoryEntry, HistoryTokens } from "./history-entry.ts";
import { findObject } from "./log-reader.ts";
import type { OurReceipts } from "./our-receipts.ts";
import type { LogPlace, LogReader, ReadLine } from "./log-reader.ts";

/**
 * Session logs of Claude Code, `projects/FOLDER/SESSION.jsonl` and below `SESSION/subagents/`: one JSON object a line,
 * those of responses with `message.usage`. The format is not documented; facts are from logs and from ccusage
 * (https://github.com/ccusage/ccusage, rust/adapters/claude, read 2026-11-24):
 * - A response has one line per content block, all with the same message id and request id and growing usage: the
 *   largest is the response's. Resumed or forked sessions repeat lines of others.
 * - Side conversations (`isSidechain`) are sub-agents, and may repeat messages of their session under new request ids.
 * - `usage.iterations` has the usage of an advisor model, which is in no other figure.
 * - `requestId` is the response header `request-id`; without one a message id is unique only within its session,
 *   because gateways reuse ids.
 */
const USAGE = Buffer.from('"usage":{');
/** The model name of Claude Code's own messages. */
const SYNTHETIC = "<synthetic>";
/** Request ids of Postern's own making (`newRequestId`). */
const POSTERN_ID = /^req_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export interface ClaudeLogParts {
  readonly place: LogPlace;
  /** Saved state of an earlier reader of this log; null to start at the beginning. */
  readonly state: unknown;
  readonly receipts: Pick<OurReceipts, "hasId">;
}

type Line = Readonly<Record<string, unknown>>;

export class ClaudeLog implements LogReader {
  readonly #place: LogPlace;
  readonly #receipts: Pick<OurReceipts, "hasId">;
  /** The folder that the project's folder is named after; null until a line has it. */
  #project: string | null;
  #entries: HistoryEntry[] = [];

  constructor({ place, state, receipts }: ClaudeLogParts) {
    this.#place = place;
    this.#receipts = receipts;
    this.#project = isRecord(state) ? findName(state["project"]) : null;
  }

  get state(): unknown {
    return this.#project === null ? null : { project: this.#project };
  }

  take(): readonly HistoryEntry[] {
    return this.#entries.splice(0);
  }

  read(bytes: Buffer): ReadLine {
    if (!bytes.includes(USAGE)) return "other";
    const line = findObject(bytes);
    if (line === undefined) return "broken";
    const { cwd } = line;
    const project = findName(cwd);
    if (project !== null && readFolder(project) === this.#place.folders[0]) this.#project ??= project;
    const response = findResponse(line);
    const message = response?.["message"];
    const usage = isRecord(message) ? message["usage"] : undefined;
    const at = findMoment(response?.["timestamp"]);
    const model = isRecord(message) ? findName(message["model"]) : null;
    if (response === null || !isRecord(message) || !isRecord(usage) || at === null || model === null) return "other";
    if (model === SYNTHETIC) return "other";
    const request = findName(response["requestId"]);
    const session = findName(line["sessionId"]) ?? findSession(this.#place);
    const id = findName(message["id"]);
    const common = {
      agent: "claude-code" as const,
      at,
      session,
      project: this.#project ?? this.#place.folders[0] ?? "",
      sidechain: response["isSidechain"] === true,
      postern: request !== null && POSTERN_ID.test(request) && this.#receipts.hasId(request),
    };
    const add = (model: string, used: Line, part: string): void => {
      const tokens = readTokens(used);
      if (computeTotal(tokens) === 0) return;
      const served = servedText(servedFacts(used));
      this.#entries.push({ ...common, ...readKeys(id, part, request, session, at, bytes), model, served, tokens });
    };
    add(model, usage, "");
    const { iterations } = usage;
    if (Array.isArray(iterations)) {
      const advice = iterations.filter((one) => isRecord(one) && one["type"] === "advisor_message") as Line[];
      for (const [index, one] of advice.entries()) add(findName(one["model"]) ?? model, one, `:advisor:${index}`);
    }
    return "read";
  }
}

/** Returns the line itself, or the line quoted in progress of a sub-agent; null for anything else. */
function findResponse(line: Line): Line | null {
  if (isRecord(line["message"])) return line;
  const { data } = line;
  const quoted = isRecord(data) ? data["message"] : undefined;
  return isRecord(quoted) && isRecord(quoted["message"]) ? quoted : null;
}

function readTokens(usage: Line): HistoryTokens {
  const { cache_creation } = usage;
  const split = isRecord(cache_creation) ? cache_creation : {};
  const hour = findCount(split["ephemeral_1h_input_tokens"]);
  const short = findCount(split["ephemeral_5m_input_tokens"]);
  // Earlier versions do not split them.
  const written = hour + short > 0 ? short : findCount(usage["cache_creation_input_tokens"]);
  return [
    findCount(usage["input_tokens"]),
    findCount(usage["cache_read_input_tokens"]),
    written,
    hour,
    findCount(usage["output_tokens"]),
    0,
  ];
}

/** @param part of the response that is counted by itself */
function readKeys(
  id: string | null,
  part: string,
  request: string | null,
  session: string,
  at: number,
  line: Buffer,
): Pick<HistoryEntry, "key" | "scope"> {
  // An entry without any id equals only an identical line.
  if (id === null) return { key: hash(["line", sha256(line), part]), scope: "" };
  const message = id + part;
  const scope = hash(["message", message, session]);
  if (request !== null) return { key: hash(["request", message, request]), scope };
  return { key: id.startsWith("msg_") ? scope : hash(["moment", message, session, String(at)]), scope };
}

/** 64-bit hash: a million entries collide with a probability of one in forty million. */
const hash = (parts: readonly string[]): string => sha256(parts.join("\n")).slice(0, 16);

/** How Claude Code calls the folder of a project. */
const readFolder = (project: string): string => project.replaceAll(/[^a-zA-Z0-9]/g, "-");

/** Finds the session if lines do not have it: the folder of sub-agents' logs is named after their session. */
function findSession({ folders, stem }: LogPlace): string {
  const inner = folders.slice(1).filter((name) => name !== "subagents");
  return inner.at(-1) ?? stem;
}
