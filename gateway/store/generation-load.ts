import { join } from "node:path";
import { asHeader, generationName, readGeneration } from "./generation-format.ts";
import type { GenerationContent, UsagePosition } from "./generation-format.ts";
import type { Generation } from "./generations.ts";
import { journalName, readJournal } from "./journal-read.ts";
import type { JournalContent, JournalEntry } from "./journal-read.ts";
import type { JournalStart } from "./journal.ts";
import { unframe } from "./line.ts";
import { applyChange, emptyDocument } from "./memory.ts";
import type { LiveDocument } from "./memory.ts";
import type { Quarantine } from "./quarantine.ts";
import type { StoreFs } from "./store-fs.ts";
import type { OpenCall } from "./store.ts";
import { isObject } from "./validate.ts";

/** A state or journal file of the data folder, known by what is in it: the name may be wrong. */
interface StateFile {
  readonly name: string;
  readonly kind: "generation" | "journal";
  /** The generation's number, or that of the journal's first line. */
  readonly seq: number;
  readonly at: number;
  readonly schemaVersion: number;
  readonly writtenBy: string;
  readonly misplaced: boolean;
}

export interface FoundFiles {
  readonly generations: readonly StateFile[];
  readonly journals: readonly StateFile[];
}

export interface LoadedState {
  readonly document: LiveDocument;
  readonly openCalls: Map<string, OpenCall>;
  readonly usage: UsagePosition;
  readonly journal: JournalStart;
  readonly generations: Generation[];
  readonly journalFirstSeqs: number[];
  /** A new generation should be written at once, to leave the damage behind. */
  readonly damaged: boolean;
  /** Files under wrong names; copies are in quarantine, so they can go once a new generation is there. */
  readonly misplaced: readonly string[];
}

const NOTHING: UsagePosition = { n: 0, segments: {} };
const FIRST_LINE_BYTES = 64 * 1024;

/** Lists the state files, newest first. */
export async function findStateFiles(fs: StoreFs, dir: string): Promise<FoundFiles> {
  const files: StateFile[] = [];
  for (const name of await fs.list(dir)) {
    const [, stem, digits] = /^(state|journal)\.(\d{1,15})\.ndjson$/.exec(name) ?? [];
    if (stem === undefined || digits === undefined) continue;
    files.push(await identify(fs, dir, name, stem === "state" ? "generation" : "journal", Number(digits)));
  }
  const newestFirst = files.toSorted((a, b) => b.seq - a.seq);
  return {
    generations: newestFirst.filter((file) => file.kind === "generation"),
    journals: newestFirst.filter((file) => file.kind === "journal"),
  };
}

async function identify(
  fs: StoreFs,
  dir: string,
  name: string,
  namedKind: StateFile["kind"],
  namedSeq: number,
): Promise<StateFile> {
  const first = await firstValue(fs, join(dir, name));
  const header = asHeader(first);
  if (header !== null) {
    const { seq, at, schemaVersion, writtenBy } = header;
    const misplaced = namedKind !== "generation" || namedSeq !== seq;
    return { name, kind: "generation", seq, at, schemaVersion, writtenBy, misplaced };
  }
  const entrySeq = isObject(first) && "changes" in first && Number.isSafeInteger(first["seq"]) ? first["seq"] : null;
  const rest = { name, at: 0, schemaVersion: 0, writtenBy: "" };
  if (entrySeq === null) return { ...rest, kind: namedKind, seq: namedSeq, misplaced: false };
  const seq = entrySeq as number;
  return { ...rest, kind: "journal", seq, misplaced: namedKind !== "journal" || namedSeq !== seq };
}

async function firstValue(fs: StoreFs, path: string): Promise<unknown> {
  const file = await fs.open(path, "read");
  try {
    const bytes = Buffer.alloc(FIRST_LINE_BYTES);
    const length = await file.read(bytes, 0);
    const newline = bytes.subarray(0, length).indexOf("\n");
    return newline === -1 ? undefined : unframe(bytes.subarray(0, newline));
  } finally {
    await file.close();
  }
}

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
  let damaged = await keepMisplaced(fs, dir, files, quarantine);
  const newest = await newestGeneration(fs, dir, files.generations, quarantine);
  damaged ||= newest.damaged;
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
    damaged: damaged || journal.damaged,
    misplaced: [...files.generations, ...files.journals].filter((file) => file.misplaced).map((file) => file.name),
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

async function keepMisplaced(fs: StoreFs, dir: string, files: FoundFiles, quarantine: Quarantine): Promise<boolean> {
  const misplaced = [...files.generations, ...files.journals].filter((file) => file.misplaced);
  for (const { name, kind, seq } of misplaced) {
    const right = kind === "generation" ? generationName(seq) : journalName(seq);
    const message = `The file ${name} holds what belongs in ${right}; it was read as such.`;
    await quarantine.keep(name, await fs.readWhole(join(dir, name)), "misplaced", message);
  }
  return misplaced.length > 0;
}

async function newestGeneration(
  fs: StoreFs,
  dir: string,
  files: readonly StateFile[],
  quarantine: Quarantine,
): Promise<{ content: GenerationContent | null; damaged: boolean; moved: Set<string> }> {
  const broken: { file: StateFile; bytes: Buffer; content: GenerationContent }[] = [];
  let whole: GenerationContent | null = null;
  for (const file of files) {
    const bytes = await fs.readWhole(join(dir, file.name));
    const content = readGeneration(bytes);
    if (content.whole) {
      whole = content;
      await keepInvalid(file.name, content.invalid, quarantine);
      break;
    }
    broken.push({ file, bytes, content });
  }
  const salvaged = whole === null ? broken.find(({ content }) => hasRecords(content)) : undefined;
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

async function keepInvalid(name: string, invalid: readonly Buffer[], quarantine: Quarantine): Promise<void> {
  if (invalid.length === 0) return;
  const message = `${invalid.length} records of ${name} have fields that this version cannot use and were left out.`;
  await quarantine.keep(`${name}.records`, Buffer.concat(invalid), "invalid-record", message);
}

async function replayJournals(
  fs: StoreFs,
  dir: string,
  newestFirst: readonly StateFile[],
  { seq: after, salvaged }: { seq: number; salvaged: boolean },
  document: LiveDocument,
  quarantine: Quarantine,
): Promise<{ start: JournalStart; damaged: boolean }> {
  const oldestFirst = newestFirst.toReversed();
  let lastSeq = salvaged ? (oldestFirst[0]?.seq ?? 1) - 1 : after;
  let damaged = false;
  let file: JournalStart["file"] = null;
  for (const [index, { name, misplaced }] of oldestFirst.entries()) {
    const next = oldestFirst[index + 1];
    if (next !== undefined && next.seq <= after + 1) continue;
    const bytes = await fs.readWhole(join(dir, name));
    const content = readJournal(bytes);
    if (await keepDamage(name, bytes, content, quarantine)) damaged = true;
    for (const entry of content.entries) {
      if (entry.seq <= after) continue;
      if (entry.seq > lastSeq + 1 && content.bad.length === 0) damaged = tellGap(name, lastSeq, entry, quarantine);
      for (const change of entry.changes) applyChange(document, change);
      lastSeq = Math.max(lastSeq, entry.seq);
    }
    file = next === undefined && !misplaced ? { name, length: content.good } : null;
  }
  return { start: { lastSeq, file }, damaged };
}

function tellGap(name: string, lastSeq: number, entry: JournalEntry, quarantine: Quarantine): true {
  const message = `The journal lines ${lastSeq + 1} to ${entry.seq - 1} are missing; what they changed may be lost.`;
  quarantine.tell("missing", message, null, name);
  return true;
}

async function keepDamage(
  name: string,
  bytes: Buffer,
  content: JournalContent,
  quarantine: Quarantine,
): Promise<boolean> {
  await keepInvalid(name, content.invalid, quarantine);
  if (content.bad.length === 0) return content.invalid.length > 0;
  const torn = content.bad.length === 1 && content.bad[0]?.torn === true;
  const message = torn
    ? `The last line of ${name} was not written to its end and was cut off. It had not been acknowledged.`
    : `${content.bad.length} lines of ${name} were damaged; all others were read.`;
  await quarantine.keep(name, bytes, torn ? "torn" : "damaged", message);
  return true;
}
