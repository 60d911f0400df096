import { join } from "node:path";
import { DELTA_NAME } from "./delta-format.ts";
import { generationName } from "./generation-format.ts";
import type { UsagePosition } from "./generation-format.ts";
import { applyDelta, readDelta, readGeneration } from "./generation-read.ts";
import type { DeltaContent, GenerationContent, Writer } from "./generation-read.ts";
import type { Generation } from "./generations.ts";
import { journalName } from "./journal-read.ts";
import { replayJournals } from "./journal-replay.ts";
import type { JournalStart } from "./journal.ts";
import { recordsNow } from "./records-now.ts";
import type { RecordsNow } from "./records-now.ts";
import { emptyDocument } from "../disk/memory.ts";
import type { LiveDocument } from "../disk/memory.ts";
import type { Quarantine } from "../quarantine.ts";
import type { FoundFiles, StateFile } from "../folder/state-files.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { OpenCall } from "../store.ts";

export interface LoadedState {
  readonly document: LiveDocument;
  readonly openCalls: Map<string, OpenCall>;
  readonly usage: UsagePosition;
  readonly journal: JournalStart;
  readonly generations: Generation[];
  readonly journalFirstSeqs: number[];
  /** Journal files whose lines are in `document`. */
  readonly applied: readonly string[];
  /** Whether a new generation should be written immediately, without the damage. */
  readonly damaged: boolean;
  /** Files under wrong names; copies are in quarantine, so they can go once a new generation is there. */
  readonly misplaced: readonly string[];
  /** Generation that deltas may continue; null when only a new generation may be written. */
  readonly base: Base | null;
  /** Names of all deltas that are there. */
  readonly deltas: readonly string[];
}

/** The generation that deltas continue. */
export interface Base {
  readonly seq: number;
  readonly at: number;
  readonly sha256: string;
  readonly bytes: number;
  readonly records: RecordsNow;
  /** Number of the last receipt that the rows include. */
  readonly n: number;
}

const NOTHING: UsagePosition = { n: 0, segments: {} };

/**
 * Loads the newest recoverable state: the newest intact generation and all journal lines after it. Damaged generations
 * go to quarantine; if none is intact, the readable lines of the newest are used.
 */
export async function loadState(
  fs: StoreFs,
  dir: string,
  files: FoundFiles,
  quarantine: Quarantine,
  writer: Writer,
): Promise<LoadedState> {
  const misplaced = [...files.generations, ...files.journals].filter((file) => file.misplaced);
  const copied = await keepMisplaced(fs, dir, misplaced, quarantine);
  // The very first line still exists: then the journal alone yields the whole state.
  const complete = files.journals.at(-1)?.seq === 1;
  const newest = await newestGeneration(fs, dir, files.generations, complete, quarantine, writer);
  const content = newest.content;
  const document = content?.document ?? emptyDocument();
  const base = getBase(newest, writer);
  const names = (await fs.list(dir)).filter((name) => DELTA_NAME.test(name));
  const delta = base === null ? null : await newestDelta(fs, dir, names, base, writer, quarantine);
  const unusable = content !== null && delta !== null ? applyDelta(content, delta) : [];
  if (delta !== null) await quarantine.keepRecords(delta.name, unusable);
  const from = delta?.header ?? (content === null || content.whole === null ? null : content.header);
  const seq = from?.seq ?? 0;
  const salvaged = content !== null && content.whole === null;
  const journal = await replayJournals(fs, dir, files.journals, { seq, salvaged }, document, quarantine);
  return {
    document,
    openCalls: content?.openCalls ?? new Map(),
    usage: from === null ? NOTHING : { ...from.usage, n: Math.max(from.usage.n, content?.whole?.n ?? 0) },
    journal: { ...journal.start, lastSeq: freeSeq(files, journal.start.lastSeq) },
    generations: files.generations.filter((file) => !file.misplaced && !newest.moved.has(file.name)),
    journalFirstSeqs: files.journals.filter((file) => !file.misplaced).map((file) => file.seq),
    applied: journal.applied,
    damaged: misplaced.length > 0 || newest.damaged || journal.damaged,
    misplaced: copied,
    // A generation of another version is rewritten first, so that its rows of past days can stay lines.
    base: (content?.whole?.n ?? null) === null ? null : base,
    deltas: names,
  };
}

/** @returns null if no delta can continue it */
function getBase({ content, bytes }: Awaited<ReturnType<typeof newestGeneration>>, writer: Writer): Base | null {
  const header = content?.header ?? null;
  const whole = content?.whole ?? null;
  if (content === null || header === null || whole === null || header.schemaVersion !== writer.schemaVersion)
    return null;
  const { seq, at, usage } = header;
  return { seq, at, sha256: whole.sha256, bytes, records: recordsNow(content.document), n: usage.n };
}

/** Returns the newest intact delta of a generation. Deltas of others are ignored, damaged ones are quarantined. */
async function newestDelta(
  fs: StoreFs,
  dir: string,
  names: readonly string[],
  base: Base,
  writer: Writer,
  quarantine: Quarantine,
): Promise<(DeltaContent & { name: string }) | null> {
  const newestFirst = names.toSorted((a, b) => Number(DELTA_NAME.exec(b)?.[1]) - Number(DELTA_NAME.exec(a)?.[1]));
  for (const name of newestFirst) {
    const delta = readDelta(await readWhenWhole(fs, join(dir, name)));
    if (delta === null) {
      await quarantine.move(
        name,
        "damaged",
        `The file ${name} was damaged. The journal and the usage log were read instead.`,
      );
    } else {
      const { header } = delta;
      const continues = header.base.seq === base.seq && header.base.sha256 === base.sha256;
      if (continues && header.schemaVersion === writer.schemaVersion) return { ...delta, name };
    }
  }
  return null;
}

/** Returns a number from which new files collide with no existing file. */
function freeSeq(files: FoundFiles, lastSeq: number): number {
  let free = Math.max(lastSeq, ...files.generations.map((file) => file.seq));
  const names = new Set(
    [...files.generations, ...files.journals].filter((file) => file.misplaced).map((file) => file.name),
  );
  while (names.has(journalName(free + 1)) || names.has(generationName(free + 1))) free += 1;
  return free;
}

/** @returns the names of those that now have a copy */
async function keepMisplaced(
  fs: StoreFs,
  dir: string,
  misplaced: readonly StateFile[],
  quarantine: Quarantine,
): Promise<string[]> {
  const copied: string[] = [];
  for (const { name, kind, seq } of misplaced) {
    const right = kind === "generation" ? generationName(seq) : journalName(seq);
    const message = `The file ${name} holds what belongs in ${right}; it was read as such.`;
    if (await quarantine.keep(name, await fs.readWhole(join(dir, name)), "misplaced", message)) copied.push(name);
  }
  return copied;
}

async function newestGeneration(
  fs: StoreFs,
  dir: string,
  files: readonly StateFile[],
  journalIsComplete: boolean,
  quarantine: Quarantine,
  writer: Writer,
): Promise<{ content: GenerationContent | null; bytes: number; damaged: boolean; moved: Set<string> }> {
  const broken: { file: StateFile; bytes: Buffer; content: GenerationContent }[] = [];
  let whole: GenerationContent | null = null;
  let length = 0;
  for (const file of files) {
    const bytes = await readWhenWhole(fs, join(dir, file.name));
    const content = readGeneration(bytes, writer);
    if (content.whole !== null) {
      whole = content;
      length = bytes.length;
      await quarantine.keepRecords(file.name, content.invalid);
      break;
    }
    broken.push({ file, bytes, content });
  }
  const mustSalvage = whole === null && !journalIsComplete;
  const salvaged = mustSalvage ? broken.find(({ content }) => hasRecords(content)) : undefined;
  const moved = new Set<string>();
  for (const { file, bytes, content } of broken) {
    if (content === salvaged?.content) {
      const message = `No saved state was whole; what could be read of ${file.name} was used. Check keys and limits.`;
      await quarantine.keep(file.name, bytes, "damaged", message);
    } else if (!file.misplaced) {
      const instead =
        whole === null ? "The journal was read instead." : "An older state and the journal were read instead.";
      await quarantine.move(file.name, "damaged", `The saved state ${file.name} was damaged. ${instead}`);
      moved.add(file.name);
    }
  }
  const content = whole ?? salvaged?.content ?? null;
  return { content, bytes: length, damaged: broken.length > 0 || (whole?.invalid.length ?? 0) > 0, moved };
}

const hasRecords = ({ document }: GenerationContent): boolean =>
  Object.values(document).some((records) => records.size > 0);

/** An unreadable disk block is damage like any other; a missing permission is not. */
async function readWhenWhole(fs: StoreFs, path: string): Promise<Buffer> {
  try {
    return await fs.readWhole(path);
  } catch (error) {
    if (errorCode(error) !== "EIO") throw error;
    return Buffer.alloc(0);
  }
}
