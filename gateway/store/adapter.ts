import { join } from "node:path";
import type { Adapter } from "lowdb";
import type { Clock } from "../lib/clock.ts";
import { replaceFile } from "./disk/atomic-file.ts";
import { generationName, writeGeneration } from "./journal/generation-format.ts";
import type { GenerationHeader, UsagePosition } from "./journal/generation-format.ts";
import { loadState } from "./journal/generation-load.ts";
import type { LoadedState } from "./journal/generation-load.ts";
import { keptGenerations, spentJournals } from "./journal/generations.ts";
import type { Generation } from "./journal/generations.ts";
import { journalName } from "./journal/journal-read.ts";
import type { LiveDocument } from "./disk/memory.ts";
import type { Quarantine } from "./quarantine.ts";
import type { FoundFiles } from "./folder/state-files.ts";
import type { StoreFs } from "./disk/store-fs.ts";
import type { OpenCall } from "./store.ts";

/** What the logs know when a generation is begun, and how to be sure that they hold all of it. */
export interface SnapshotSource {
  /** Begins a new journal file. @returns the last number before it */
  rotate(): Promise<number>;
  usagePosition(): { usage: UsagePosition; openCalls: OpenCall[] };
  /** Resolves when everything that is in memory now is synced in the logs. */
  synced(): Promise<void>;
}

/**
 * lowdb's adapter for the data folder. `read` gives the newest whole generation with the journal replayed on it;
 * `write` makes a new generation beside the others, without holding the event loop, and lets old ones go.
 */
export class GenerationAdapter implements Adapter<LiveDocument> {
  readonly #fs: StoreFs;
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #quarantine: Quarantine;
  readonly #files: FoundFiles;
  readonly #writer: { schemaVersion: number; writtenBy: string };
  #generations: Generation[] = [];
  #journals: number[] = [];
  #source: SnapshotSource | null = null;
  /** What `read` found; null before. */
  loaded: LoadedState | null = null;

  constructor(parts: {
    fs: StoreFs;
    dir: string;
    clock: Clock;
    quarantine: Quarantine;
    files: FoundFiles;
    writer: { schemaVersion: number; writtenBy: string };
  }) {
    this.#fs = parts.fs;
    this.#dir = parts.dir;
    this.#clock = parts.clock;
    this.#quarantine = parts.quarantine;
    this.#files = parts.files;
    this.#writer = parts.writer;
  }

  async read(): Promise<LiveDocument> {
    const loaded = await loadState(this.#fs, this.#dir, this.#files, this.#quarantine);
    this.loaded = loaded;
    this.#generations = loaded.generations;
    this.#journals = loaded.journalFirstSeqs;
    return loaded.document;
  }

  /** Connects the logs. Until then nothing can be written: only a state that was read may become a generation. */
  attach(source: SnapshotSource): void {
    this.#source = source;
  }

  async write(document: LiveDocument): Promise<void> {
    if (this.#source === null) throw new Error("a generation was asked for before the state was read");
    const seq = await this.#source.rotate();
    const { usage, openCalls } = this.#source.usagePosition();
    const { schemaVersion, writtenBy } = this.#writer;
    const at = this.#clock.now();
    const header: GenerationHeader = { format: "postern-state", schemaVersion, seq, at, writtenBy, usage };
    const name = generationName(seq);
    await replaceFile(this.#fs, join(this.#dir, name), async (file) => {
      await writeGeneration(file, header, document, openCalls, this.#clock);
      // It must never hold what the logs could still lose.
      await this.#source?.synced();
    });
    this.#generations.push({ name, seq, at });
    await this.#letGo();
  }

  /** Removes files that hold nothing under their own name, once their content is in a new generation. */
  async removeMisplaced(): Promise<void> {
    for (const name of this.loaded?.misplaced ?? []) await this.#fs.remove(join(this.#dir, name));
  }

  /** A journal file was begun. */
  noteJournal(firstSeq: number): void {
    if (!this.#journals.includes(firstSeq)) this.#journals.push(firstSeq);
  }

  async #letGo(): Promise<void> {
    const kept = keptGenerations(this.#generations, this.#clock.now());
    const spent = spentJournals(this.#journals, kept);
    for (const generation of this.#generations) {
      if (!kept.includes(generation)) await this.#fs.remove(join(this.#dir, generation.name));
    }
    for (const firstSeq of spent) await this.#fs.remove(join(this.#dir, journalName(firstSeq)));
    this.#generations = kept;
    this.#journals = this.#journals.filter((firstSeq) => !spent.includes(firstSeq));
  }
}
