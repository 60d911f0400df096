import { join } from "node:path";
import type { Adapter } from "lowdb";
import type { Clock } from "../lib/clock.ts";
import { utcDay } from "../lib/clock.ts";
import { Slices } from "../lib/slices.ts";
import { replaceFile } from "./disk/atomic-file.ts";
import { changedSince, deltaName } from "./journal/delta-format.ts";
import type { DeltaHeader } from "./journal/delta-format.ts";
import { generationName, wholeDocument, writeLines } from "./journal/generation-format.ts";
import type { GenerationHeader, MadeLines, StateLine, UsagePosition, Written } from "./journal/generation-format.ts";
import { loadState } from "./journal/generation-load.ts";
import type { Base, LoadedState } from "./journal/generation-load.ts";
import type { Writer } from "./journal/generation-read.ts";
import { selectRetainedGenerations, spentJournals } from "./journal/generations.ts";
import type { Generation } from "./journal/generations.ts";
import { journalName } from "./journal/journal-read.ts";
import { recordsNow } from "./journal/records-now.ts";
import type { LiveDocument } from "./disk/memory.ts";
import type { Quarantine } from "./quarantine.ts";
import type { FoundFiles } from "./folder/state-files.ts";
import type { StoreFs } from "./disk/store-fs.ts";
import type { OpenCall } from "./store.ts";
import { coolDays, packDays } from "./usage/row-lines.ts";

/** Max bytes of journal for which a new generation is as cheap as a delta. */
const LEAST_BASE_BYTES = 256 * 1024;
/** Size relative to its generation above which a delta becomes a generation. */
const MOST_OF_BASE = 1 / 16;
/** Max receipts that a damaged delta makes a start replay beyond its generation: about a second of work. */
const MOST_RECEIPTS = 100_000;
const MOST_JOURNAL_BYTES = 4 * 1024 * 1024;
const KEPT_DELTAS = 2;

/** Log positions at the start of a generation, and the calls that sync the logs up to them. */
export interface SnapshotSource {
  /** Begins a new journal file. @returns the last number before it */
  rotate(): Promise<number>;
  /** The journal: the number up to which every line is in memory, and its bytes since it was rotated. */
  journal(): { readonly lastSeq: number; readonly bytes: number };
  usagePosition(): { usage: UsagePosition; openCalls: OpenCall[] };
  /** Number of the last receipt. */
  lastNumber(): number;
  /** Resolves when everything that is in memory now is synced in the logs. */
  waitUntilSynced(): Promise<void>;
}

/**
 * lowdb's adapter for the data folder. `read` returns the newest intact generation with its delta and the journal
 * applied; `write` writes a delta or a new generation without blocking the event loop, and deletes old ones.
 */
export class GenerationAdapter implements Adapter<LiveDocument> {
  readonly #fs: StoreFs;
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #quarantine: Quarantine;
  readonly #files: FoundFiles;
  readonly #writer: Writer;
  #generations: Generation[] = [];
  #journals: number[] = [];
  #source: SnapshotSource | null = null;
  /** The generation that deltas continue; null when the next to be written is a generation. */
  #base: Base | null = null;
  #deltas: readonly string[] = [];
  /** Bytes of the last delta. */
  #deltaBytes = 0;
  /** The result of `read`; null before. */
  loaded: LoadedState | null = null;

  constructor(parts: {
    fs: StoreFs;
    dir: string;
    clock: Clock;
    quarantine: Quarantine;
    files: FoundFiles;
    writer: Writer;
  }) {
    this.#fs = parts.fs;
    this.#dir = parts.dir;
    this.#clock = parts.clock;
    this.#quarantine = parts.quarantine;
    this.#files = parts.files;
    this.#writer = parts.writer;
  }

  async read(): Promise<LiveDocument> {
    const loaded = await loadState(this.#fs, this.#dir, this.#files, this.#quarantine, this.#writer);
    this.loaded = loaded;
    this.#base = loaded.base;
    this.#deltas = loaded.deltas;
    this.#generations = loaded.generations;
    this.#journals = loaded.journalFirstSeqs;
    return loaded.document;
  }

  /** Connects the logs. Before that nothing is written, because only a state that was read may become a generation. */
  attach(source: SnapshotSource): void {
    this.#source = source;
  }

  /** Forces the next write to be a whole generation, which omits damage. */
  wholeNext(): void {
    this.#base = null;
  }

  async write(document: LiveDocument): Promise<void> {
    const source = this.#source;
    if (source === null) throw new Error("a generation was asked for before the state was read");
    const base = this.#base;
    if (base !== null && this.#suffices(base, source)) await this.#writeDelta(document, source, base);
    else await this.#writeWhole(document, source);
  }

  /** Whether a delta is enough. A generation each day is what older days are read from when newer ones are damaged. */
  #suffices(base: Base, source: SnapshotSource): boolean {
    return (
      base.bytes >= LEAST_BASE_BYTES &&
      this.#deltaBytes <= base.bytes * MOST_OF_BASE &&
      source.lastNumber() - base.n <= MOST_RECEIPTS &&
      source.journal().bytes < MOST_JOURNAL_BYTES &&
      utcDay(base.at) === utcDay(this.#clock.now())
    );
  }

  async #writeDelta(document: LiveDocument, source: SnapshotSource, base: Base): Promise<void> {
    const { usage, openCalls } = source.usagePosition();
    const seq = source.journal().lastSeq;
    const { schemaVersion, writtenBy } = this.#writer;
    const at = this.#clock.now();
    const { sha256 } = base;
    const header: DeltaHeader = {
      format: "postern-delta",
      schemaVersion,
      seq,
      at,
      writtenBy,
      usage,
      base: { seq: base.seq, sha256 },
    };
    const name = deltaName(seq);
    const lines = changedSince(document, { before: base.records, n: base.n }, openCalls);
    const { bytes } = await this.#writeFile(name, header, lines, source);
    this.#deltaBytes = bytes;
    await this.#dropDeltas([...this.#deltas.filter((other) => other !== name), name].slice(-KEPT_DELTAS));
  }

  async #writeWhole(document: LiveDocument, source: SnapshotSource): Promise<void> {
    // Days are about to go cold, and rows of cold days are in no delta: when the disk refuses, a generation is still due.
    this.wholeNext();
    await coolDays(document.daily, this.#clock.now(), new Slices(this.#clock));
    const seq = await source.rotate();
    const { usage, openCalls } = source.usagePosition();
    const records = recordsNow(document);
    const { schemaVersion, writtenBy } = this.#writer;
    const at = this.#clock.now();
    const header: GenerationHeader = { format: "postern-state", schemaVersion, seq, at, writtenBy, usage };
    const name = generationName(seq);
    const { bytes, sha256 } = await this.#writeFile(name, header, wholeDocument(records, document, openCalls), source);
    this.#generations.push({ name, seq, at });
    this.#base = { seq, at, sha256, bytes, records, n: usage.n };
    this.#deltaBytes = 0;
    await this.#letGo();
    await this.#dropDeltas([]);
    await packDays(document.daily);
  }

  async #writeFile(
    name: string,
    header: GenerationHeader | DeltaHeader,
    lines: Iterable<StateLine | MadeLines>,
    source: SnapshotSource,
  ): Promise<Written> {
    let written: Written = { bytes: 0, sha256: "" };
    await replaceFile(this.#fs, join(this.#dir, name), async (file) => {
      written = await writeLines(file, header, lines, this.#clock, () => source.lastNumber());
      // A generation must never contain what the logs could still lose.
      await source.waitUntilSynced();
    });
    return written;
  }

  async #dropDeltas(retained: readonly string[]): Promise<void> {
    const dropped = this.#deltas.filter((name) => !retained.includes(name));
    this.#deltas = [...retained];
    for (const name of dropped) await this.#fs.remove(join(this.#dir, name));
  }

  /** Removes files under wrong names, once their content is in a new generation. */
  async removeMisplaced(): Promise<void> {
    for (const name of this.loaded?.misplaced ?? []) await this.#fs.remove(join(this.#dir, name));
  }

  /** Notes a new journal file. */
  noteJournal(firstSeq: number): void {
    if (!this.#journals.includes(firstSeq)) this.#journals.push(firstSeq);
  }

  async #letGo(): Promise<void> {
    const retained = selectRetainedGenerations(this.#generations, this.#clock.now());
    const spent = spentJournals(this.#journals, retained);
    for (const generation of this.#generations) {
      if (!retained.includes(generation)) await this.#fs.remove(join(this.#dir, generation.name));
    }
    for (const firstSeq of spent) await this.#fs.remove(join(this.#dir, journalName(firstSeq)));
    this.#generations = retained;
    this.#journals = this.#journals.filter((firstSeq) => !spent.includes(firstSeq));
  }
}
