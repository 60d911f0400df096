import type { HistoryAgent, HistoryImport } from "../../contract/history.ts";
import { GatewayError } from "../../core/errors.ts";
import { getLoggingAgent } from "../../core/history/agents.ts";
import type { LogFolder } from "../../core/history/agents.ts";
import { ClaudeLog } from "../../core/history/claude-log.ts";
import { CodexLog, codexHead } from "../../core/history/codex-log.ts";
import type { CodexHead, CodexHistory } from "../../core/history/codex-log.ts";
import type { HistoryBatch, HistoryEntry } from "../../core/history/history-entry.ts";
import { ObjectLog } from "../../core/history/object-log.ts";
import type { OurReceipts } from "../../core/history/our-receipts.ts";
import type { LogReader } from "../../core/history/log-reader.ts";
import { sha256 } from "../../lib/ids.ts";
import { Slices } from "../../lib/slices.ts";
import type { Clock } from "../../lib/clock.ts";
import { whyUnreadable } from "../../store/history/agent-logs.ts";
import type { AgentLogFile, AgentLogs } from "../../store/history/agent-logs.ts";
import type { LogPosition } from "./stored-history.ts";

/** A folder with logs that was found. */
export interface FoundFolder {
  readonly agent: HistoryAgent;
  readonly home: string;
  readonly files: readonly AgentLogFile[];
}

/** How far a reading has come. */
export interface ReadingProgress {
  readonly logs: number;
  logs_done: number;
  readonly bytes: number;
  bytes_done: number;
}

/** Max cached parents: their children are adjacent. */
const MOST_PARENTS = 4;

export interface ReadLogsParts {
  readonly logs: AgentLogs;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
  readonly positions: ReadonlyMap<string, LogPosition>;
  readonly receipts: OurReceipts;
  /** Whether an entry is imported already. */
  readonly hasEntry: (entry: HistoryEntry) => boolean;
}

/** Finds existing folders; each one once, even if several paths lead to it. */
export async function findFolders(logs: AgentLogs, folders: readonly LogFolder[]): Promise<FoundFolder[]> {
  const seen = new Set<string>();
  const found: FoundFolder[] = [];
  for (const { agent, home, logs: places } of folders) {
    const files: AgentLogFile[] = [];
    let there = false;
    for (const place of places) {
      const path = await logs.place(place);
      // Folders of two agents may have the same name, but not the same logs.
      if (path === null || seen.has(`${agent}\n${path}`)) continue;
      seen.add(`${agent}\n${path}`);
      there = true;
      files.push(...(await logs.find(path, getLoggingAgent(agent).files)));
    }
    if (there) found.push({ agent, home, files });
  }
  return found;
}

/** Reads new content of logs, one at a time and yielding to other work. */
export class ReadLogs {
  readonly #parts: ReadLogsParts;
  readonly #slices: Slices;
  readonly #parents = new Map<string, readonly CodexHistory[]>();
  /** Codex' logs by session; built when a fork is read whose parent is not in its name. */
  #sessions: Map<string, string> | null = null;
  readonly lines: HistoryImport["lines"] = { read: 0, other: 0, broken: 0, too_long: 0 };
  readonly failed: HistoryImport["failed"] = [];

  constructor(parts: ReadLogsParts) {
    this.#parts = parts;
    this.#slices = new Slices(parts.clock);
  }

  /** Whether a log has more than was read of it. A database has, whatever its size is. */
  isNew({ path, bytes }: AgentLogFile): boolean {
    return isDatabase(path) || this.#parts.positions.get(path)?.to !== bytes;
  }

  /**
   * Reads the new entries of a log; null without any, or if it cannot be read.
   * @param folders of the same agent, for the parents of forks
   * @throws GatewayError shutting_down
   */
  async read(
    agent: HistoryAgent,
    file: AgentLogFile,
    folders: readonly FoundFolder[],
    progress: ReadingProgress,
  ): Promise<HistoryBatch | null> {
    try {
      return await this.#read(agent, file, folders, progress);
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      this.failed.push({ file: file.path, message: whyUnreadable(error) });
      return null;
    }
  }

  async #read(agent: HistoryAgent, file: AgentLogFile, folders: readonly FoundFolder[], progress: ReadingProgress) {
    const { logs } = this.#parts;
    if (!file.path.endsWith(".jsonl")) return this.#readWhole(agent, file, progress);
    const known = await this.#readKnown(file);
    const from = known?.to ?? 0;
    const reader = await this.#reader(agent, file, known, folders);
    let to = from;
    for await (const { lines, tooLong, end } of logs.lines(file.path, from)) {
      this.lines.too_long += tooLong;
      for (const line of lines) {
        this.lines[reader.read(line)] += 1;
        if (this.#slices.over) await this.#pause();
      }
      progress.bytes_done += end - to;
      to = end;
    }
    if (to === from) return null;
    const entries = reader.take();
    const tail = sha256(await logs.before(file.path, to)).slice(0, 16);
    return { agent, file: file.path, from, to, tail, state: reader.state, entries };
  }

  /** Reads a log that is no list of lines: one object, or a database. */
  async #readWhole(agent: HistoryAgent, file: AgentLogFile, progress: ReadingProgress): Promise<HistoryBatch | null> {
    const { logs, hasEntry } = this.#parts;
    const { path, bytes } = file;
    const reader = await this.#reader(agent, file, undefined, []);
    const { rows } = getLoggingAgent(agent);
    if (isDatabase(path) && rows !== undefined) {
      for await (const page of logs.rows(path, rows)) await this.#readObjects(reader, page);
    } else {
      const whole = await logs.whole(path);
      if (whole === null) this.lines.too_long += 1;
      else await this.#readObjects(reader, [whole]);
    }
    progress.bytes_done += bytes;
    const entries = reader.take().filter((entry) => !hasEntry(entry));
    if (isDatabase(path) && entries.length === 0) return null;
    const tail = sha256(await logs.before(path, bytes)).slice(0, 16);
    return { agent, file: path, from: 0, to: bytes, tail, state: null, entries };
  }

  async #readObjects(reader: LogReader, objects: readonly Buffer[]): Promise<void> {
    for (const object of objects) {
      this.lines[reader.read(object)] += 1;
      if (this.#slices.over) await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    if (this.#parts.stopping.aborted)
      throw new GatewayError("shutting_down", "Postern was stopped while it read agents' logs. Import again.");
    await this.#slices.pause();
  }

  /** How far this very log was read; undefined for another one in its place. */
  async #readKnown({ path, bytes }: AgentLogFile): Promise<LogPosition | undefined> {
    const known = this.#parts.positions.get(path);
    if (known === undefined || known.to > bytes) return undefined;
    const tail = sha256(await this.#parts.logs.before(path, known.to)).slice(0, 16);
    return tail === known.tail ? known : undefined;
  }

  async #reader(
    agent: HistoryAgent,
    place: AgentLogFile,
    known: LogPosition | undefined,
    folders: readonly FoundFolder[],
  ): Promise<LogReader> {
    const state = known?.state ?? null;
    const { receipts } = this.#parts;
    const { form } = getLoggingAgent(agent);
    if (form !== null) return new ObjectLog(form, { place, state, receipts });
    if (agent === "claude-code") return new ClaudeLog({ place, state, receipts });
    const codexLog = new CodexLog({ place, state, parent: [], receipts });
    const parent = known === undefined ? (await this.#head(place.path))?.parent : codexLog.parent;
    if (parent === null || parent === undefined) return codexLog;
    return new CodexLog({ place, state, parent: await this.#history(parent, place.path, folders), receipts });
  }

  /** Reads the usage of a session from its own log. */
  async #history(session: string, child: string, folders: readonly FoundFolder[]): Promise<readonly CodexHistory[]> {
    const known = this.#parents.get(session);
    if (known !== undefined) return known;
    const path = await this.#getLog(session, folders);
    const history: CodexHistory[] = [];
    // A log that names itself would repeat nothing but itself.
    if (path !== undefined && path !== child) {
      const place = { folders: [], stem: session };
      const reader = new CodexLog({ place, state: null, parent: [], receipts: this.#parts.receipts }, history);
      for await (const { lines } of this.#parts.logs.lines(path, 0)) {
        for (const line of lines) {
          reader.read(line);
          if (this.#slices.over) await this.#pause();
        }
      }
    }
    const [oldest] = this.#parents.keys();
    if (this.#parents.size >= MOST_PARENTS && oldest !== undefined) this.#parents.delete(oldest);
    this.#parents.set(session, history);
    return history;
  }

  /** Codex ends the names of its logs with the session's id. */
  async #getLog(session: string, folders: readonly FoundFolder[]): Promise<string | undefined> {
    const files = folders.flatMap((folder) => (folder.agent === "codex" ? folder.files : []));
    const named = files.find(({ stem }) => stem === session || stem.endsWith(`-${session}`));
    if (named !== undefined) return named.path;
    if (this.#sessions === null) {
      this.#sessions = new Map();
      for (const { path } of files) {
        const head = await this.#head(path);
        if (head !== null && !this.#sessions.has(head.session)) this.#sessions.set(head.session, path);
        if (this.#slices.over) await this.#pause();
      }
    }
    return this.#sessions.get(session);
  }

  async #head(path: string): Promise<CodexHead | null> {
    const first = await this.#parts.logs.first(path).catch(() => null);
    return first === null ? null : codexHead(first);
  }
}

function isDatabase(path: string): boolean {
  return path.endsWith(".db");
}
