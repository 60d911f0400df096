import type { CheckedInput } from "../../contract/control.ts";
import type { HistoryImport, HistorySource, HistoryView } from "../../contract/history.ts";
import type { Machine } from "../../core/clients/place.ts";
import { GatewayError } from "../../core/errors.ts";
import { LOGGING_AGENTS, namedFolders, usualFolders } from "../../core/history/agents.ts";
import { EntryPricer } from "../../core/history/entry-pricer.ts";
import { HistoryFold } from "../../core/history/fold-history.ts";
import { computeTotal } from "../../core/history/history-entry.ts";
import type { HistoryBatch } from "../../core/history/history-entry.ts";
import { OurReceipts } from "../../core/history/our-receipts.ts";
import type { Totals } from "../../contract/totals.ts";
import { addEntry } from "../../core/history/logged-request.ts";
import { emptyTotals, SUMS } from "../../core/usage/usage-totals.ts";
import type { Clock } from "../../lib/clock.ts";
import { Mutex } from "../../lib/mutex.ts";
import { Slices } from "../../lib/slices.ts";
import type { AgentLogs } from "../../store/history/agent-logs.ts";
import type { HistoryLog } from "../../store/history/history-log.ts";
import type { ImportedUsage } from "../../store/history/imported-usage.ts";
import { StoreWriteError } from "../../store/store.ts";
import type { Store } from "../../store/store.ts";
import type { HistoryPrices } from "./history-prices.ts";
import { readStoredHistory } from "./stored-history.ts";
import { findFolders, ReadLogs } from "./read-logs.ts";
import type { FoundFolder } from "./read-logs.ts";

export interface ImportHistoryDeps {
  readonly store: Pick<Store, "usage">;
  readonly clock: Clock;
  readonly logs: AgentLogs;
  readonly history: HistoryLog;
  readonly imported: Pick<ImportedUsage, "view">;
  readonly prices: HistoryPrices;
  /** Machine whose folders are searched. */
  readonly machine: Machine;
  readonly stopping: AbortSignal;
}

type Running = NonNullable<HistoryView["running"]>;

type HistoryKinds = Readonly<Record<"counted" | "postern", Totals>>;

/** Files between two syncs; files lost in a power cut are read again. */
const STRETCH = 4_096;

/**
 * Usage of agents before Postern or outside of it, read from their own logs on request, previewed, and stored once.
 * Agents' files are never written.
 */
export class ImportHistory {
  readonly #deps: ImportHistoryDeps;
  /** Allows one read at a time. */
  readonly #mutex = new Mutex();
  #running: Running | null = null;

  constructor(deps: ImportHistoryDeps) {
    this.#deps = deps;
  }

  async view(): Promise<HistoryView> {
    const { logs, machine, history, imported, prices } = this.#deps;
    const folders: HistoryView["folders"] = [];
    for (const { agent, home, logs: places } of usualFolders(machine)) {
      const there = await Promise.all(places.map((place) => logs.place(place)));
      if (there.some((place) => place !== null)) folders.push({ agent, folder: home });
    }
    const { agents, damaged } = await imported.view();
    return {
      folders,
      running: this.#running,
      agents,
      models: prices.names(),
      bytes: await history.bytes(),
      damaged,
    };
  }

  /** Returns the result that an import would have. */
  preview(input: CheckedInput<"previewHistory">): Promise<HistoryImport> {
    return this.#mutex.run(() => this.#run("preview", input));
  }

  /** @throws GatewayError storage_unavailable if the disk refuses; what was stored before stays */
  import(input: CheckedInput<"importHistory">): Promise<HistoryImport> {
    return this.#mutex.run(async () => {
      try {
        return await this.#run("import", input);
      } catch (error) {
        throw storageError(error);
      }
    });
  }

  /** Forgets everything that was imported. */
  async remove(): Promise<HistoryView> {
    await this.#mutex.run(async () => {
      try {
        await this.#deps.history.clear();
      } catch (error) {
        throw storageError(error);
      }
    });
    return this.view();
  }

  /** Stops a running import; nothing more is stored. */
  async close(): Promise<void> {
    await this.#mutex.waitUntilSettled();
    await this.#deps.history.close();
  }

  async #run(what: Running["what"], { folders }: CheckedInput<"importHistory">): Promise<HistoryImport> {
    const { logs, clock, machine, history, stopping } = this.#deps;
    const selected =
      folders === undefined ? usualFolders(machine) : folders.flatMap((path) => namedFolders(machine, path));
    const all = await findFolders(logs, selected);
    // A named folder may be that of any agent.
    const found = folders === undefined ? all : all.filter(({ files }) => files.length > 0);
    if (folders !== undefined && found.length === 0) throw noLogs(folders);
    const running: Running = { what, logs: 0, logs_done: 0, bytes: 0, bytes_done: 0 };
    this.#running = running;
    try {
      const { fold, positions } = await readStoredHistory(history, clock);
      const sums: { before?: HistoryKinds } = {};
      const { receipts, complete } = await this.#receipts();
      const reading = new ReadLogs({
        logs,
        clock,
        stopping,
        positions,
        receipts,
        hasEntry: (entry) => fold.has(entry),
      });
      for (const { files } of found) for (const file of files) if (reading.isNew(file)) enter(running, file, positions);
      const sources: HistorySource[] = [];
      for (const folder of found) {
        const keep = async (batch: HistoryBatch): Promise<void> => {
          sums.before ??= await this.#sums(fold);
          fold.add(batch.entries);
          if (what === "import") await history.add(batch);
        };
        sources.push(await this.#readFolder(folder, found, reading, running, keep));
      }
      if (what === "import") await history.sync();
      const { before } = sums;
      const after = before === undefined ? undefined : await this.#sums(fold);
      return {
        sources,
        new_totals: addGrowth(after?.counted, before?.counted),
        through_postern: addGrowth(after?.postern, before?.postern),
        receipts_complete: complete,
        lines: reading.lines,
        failed: reading.failed.slice(0, 100),
      };
    } finally {
      this.#running = null;
    }
  }

  async #readFolder(
    { agent, home, files }: FoundFolder,
    found: readonly FoundFolder[],
    reading: ReadLogs,
    running: Running,
    keep: (batch: HistoryBatch) => Promise<void>,
  ): Promise<HistorySource> {
    const fold = new HistoryFold();
    let newLogs = 0;
    for (const file of files) {
      if (!reading.isNew(file)) continue;
      const batch = await reading.read(agent, file, found, running);
      running.logs_done += 1;
      if (batch === null) continue;
      newLogs += 1;
      fold.add(batch.entries);
      await keep(batch);
    }
    const entries = [...fold.entries()];
    const moments = entries.map(({ at }) => at);
    return {
      agent,
      folder: home,
      logs: files.length,
      new_logs: newLogs,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      sessions: new Set(entries.map(({ session }) => session)).size,
      from: moments.length === 0 ? null : moments.reduce((least, at) => Math.min(least, at)),
      to: moments.length === 0 ? null : moments.reduce((most, at) => Math.max(most, at)),
      requests: entries.length,
      tokens: entries.reduce((sum, { tokens }) => sum + computeTotal(tokens), 0),
    };
  }

  /** Returns the sums of the counted history and of the requests through Postern. */
  async #sums(fold: HistoryFold): Promise<HistoryKinds> {
    const pricer = new EntryPricer(this.#deps.prices, true);
    const slices = new Slices(this.#deps.clock);
    const [counted, postern] = [emptyTotals(), emptyTotals()];
    let passed = 0;
    for (const entry of fold.entries()) {
      if (passed++ % STRETCH === 0 && slices.over) await slices.pause();
      const { model, served, at, tokens } = entry;
      addEntry(entry.postern ? postern : counted, entry, pricer.cost(model, served, at, tokens).nano);
    }
    return { counted, postern };
  }

  /** Returns the receipts whose clients may have them in their logs. */
  async #receipts(): Promise<{ readonly receipts: OurReceipts; readonly complete: boolean }> {
    const { store, clock } = this.#deps;
    const receipts = new OurReceipts();
    const slices = new Slices(clock);
    let complete = true;
    const columns = ["id", "at", "model", "tokens", "output_tokens"] as const;
    for (const endpoint of new Set(LOGGING_AGENTS.map((agent) => agent.endpoint)))
      for await (const { rows, rebuilding } of store.usage.pass({ endpoint }, columns)) {
        complete = rebuilding === null;
        for (const row of rows) {
          const [id, at, model, tokens, outputTokens] = row as [string, number, string, number, number];
          if (endpoint === "messages") receipts.addId(id);
          else receipts.addUsed({ at, model, tokens, outputTokens });
        }
        if (slices.over) await slices.pause();
      }
    return { receipts, complete };
  }
}

/** Returns the growth of sums between two readings. Copies that turn out to be duplicates can reduce a sum. */
function addGrowth(after: Totals = emptyTotals(), before: Totals = emptyTotals()): Totals {
  return Object.fromEntries(SUMS.map((name) => [name, Math.max(0, after[name] - before[name])])) as Totals;
}

function enter(
  running: Running,
  { path, bytes }: FoundFolder["files"][number],
  positions: ReadonlyMap<string, { to: number }>,
) {
  running.logs += 1;
  running.bytes += Math.max(0, bytes - (positions.get(path)?.to ?? 0));
}

function noLogs(folders: readonly string[]): GatewayError {
  return new GatewayError(
    "invalid_value",
    `There are no logs of agents in ${folders.join(", ").slice(0, 500)}. ` +
      'Name an agent\'s own folder, such as "~/.claude" of another home, by its full path.',
    { param: "folders" },
  );
}

function storageError(error: unknown): unknown {
  return error instanceof StoreWriteError
    ? new GatewayError("storage_unavailable", `${error.message} Import again when the disk takes writes.`, {
        cause: error,
      })
    : error;
}
