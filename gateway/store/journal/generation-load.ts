import { join } from "node:path";
import { generationName } from "./generation-format.ts";
import type { UsagePosition } from "./generation-format.ts";
import { readGeneration } from "./generation-read.ts";
import type { GenerationContent } from "./generation-read.ts";
import type { Generation } from "./generations.ts";
import { journalName } from "./journal-read.ts";
import { replayJournals } from "./journal-replay.ts";
import type { JournalStart } from "./journal.ts";
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
  /** A new generation should be written at once, to leave the damage behind. */
  readonly damaged: boolean;
  /** Files under wrong names; copies are in quarantine, so they can go once a new generation is there. */
  readonly misplaced: readonly string[];
}

const NOTHING: UsagePosition = { n: 0, segments: {} };

/**
 * The newest state that the disk can give: the newest whole generation and all journal lines after it. Damaged
 * generations are moved to quarantine; when none is whole, what can be made out of the newest is used.
 */
export async function loadState(
  fs: StoreFs,
  dir: string,
  files: FoundFiles,
  quarantine: Quarantine,
): Promise<LoadedState> {
  const misplaced = [...files.generations, ...files.journals].filter((file) => file.misplaced);
  const copied = await keepMisplaced(fs, dir, misplaced, quarantine);
  // The very first line is still there: then the journal alone gives the whole state.
  const complete = files.journals.at(-1)?.seq === 1;
  const newest = await newestGeneration(fs, dir, files.generations, complete, quarantine);
  const content = newest.content;
  const document = content?.document ?? emptyDocument();
  const seq = content?.whole === true ? (content.header?.seq ?? 0) : 0;
  const salvaged = content?.whole === false;
  const journal = await replayJournals(fs, dir, files.journals, { seq, salvaged }, document, quarantine);
  return {
    document,
    openCalls: content?.openCalls ?? new Map(),
    usage: (content?.whole === true ? content.header?.usage : undefined) ?? NOTHING,
    journal: { ...journal.start, lastSeq: freeSeq(files, journal.start.lastSeq) },
    generations: files.generations.filter((file) => !file.misplaced && !newest.moved.has(file.name)),
    journalFirstSeqs: files.journals.filter((file) => !file.misplaced).map((file) => file.seq),
    applied: journal.applied,
    damaged: misplaced.length > 0 || newest.damaged || journal.damaged,
    misplaced: copied,
  };
}

/** The number after which new files collide with none that is there, whatever their content. */
function freeSeq(files: FoundFiles, lastSeq: number): number {
  let free = Math.max(lastSeq, ...files.generations.map((file) => file.seq));
  const names = new Set(
    [...files.generations, ...files.journals].filter((file) => file.misplaced).map((file) => file.name),
  );
  while (names.has(journalName(free + 1)) || names.has(generationName(free + 1))) free += 1;
  return free;
}

/** @returns the names of those of which there is a copy now */
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
): Promise<{ content: GenerationContent | null; damaged: boolean; moved: Set<string> }> {
  const broken: { file: StateFile; bytes: Buffer; content: GenerationContent }[] = [];
  let whole: GenerationContent | null = null;
  for (const file of files) {
    const bytes = await readWhenWhole(fs, join(dir, file.name));
    const content = readGeneration(bytes);
    if (content.whole) {
      whole = content;
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
  return { content, damaged: broken.length > 0 || (whole?.invalid.length ?? 0) > 0, moved };
}

const hasRecords = ({ document }: GenerationContent): boolean =>
  Object.values(document).some((records) => records.size > 0);

/** A place of the disk that cannot be read any more is damage like any other; a missing right to read is not. */
async function readWhenWhole(fs: StoreFs, path: string): Promise<Buffer> {
  try {
    return await fs.readWhole(path);
  } catch (error) {
    if (errorCode(error) !== "EIO") throw error;
    return Buffer.alloc(0);
  }
}
