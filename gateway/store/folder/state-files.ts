import { join } from "node:path";
import { isRecord } from "../../lib/records.ts";
import { asHeader } from "../journal/generation-format.ts";
import { unframe } from "../disk/line.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/** A state or journal file of the data folder, known by what is in it: the name may be wrong. */
export interface StateFile {
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
  const entrySeq = isRecord(first) && "changes" in first && Number.isSafeInteger(first["seq"]) ? first["seq"] : null;
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
