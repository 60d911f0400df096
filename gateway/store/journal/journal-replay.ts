import { join } from "node:path";
import { describeDamage } from "../damage.ts";
import { readJournal } from "./journal-read.ts";
import type { JournalContent, JournalEntry } from "./journal-read.ts";
import type { JournalFile, JournalStart } from "./journal.ts";
import { applyChange } from "../disk/memory.ts";
import type { LiveDocument } from "../disk/memory.ts";
import type { Quarantine } from "../quarantine.ts";
import type { StateFile } from "../folder/state-files.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/**
 * Applies all journal lines after a generation to its document in order.
 * @param from the generation's number; `salvaged` if unknown, so that every existing line is applied
 * @returns the journal's next number, whether there was damage, and the files whose lines were applied
 */
export async function replayJournals(
  fs: StoreFs,
  dir: string,
  newestFirst: readonly StateFile[],
  from: { seq: number; salvaged: boolean },
  document: LiveDocument,
  quarantine: Quarantine,
): Promise<{ start: JournalStart; damaged: boolean; applied: string[] }> {
  const after = from.seq;
  const oldestFirst = newestFirst.toReversed();
  let lastSeq = from.salvaged ? (oldestFirst[0]?.seq ?? 1) - 1 : after;
  let damaged = false;
  const applied = new Set<string>();
  let file: JournalFile | null = null;
  for (const [index, { name, misplaced }] of oldestFirst.entries()) {
    const next = oldestFirst[index + 1];
    if (next !== undefined && next.seq <= after + 1) continue;
    const bytes = await fs.readWhole(join(dir, name));
    const content = readJournal(bytes, after);
    const isStored = await keepDamage(name, bytes, content, quarantine);
    if (content.bad.length > 0 || content.invalid.length > 0) damaged = true;
    for (const entry of content.entries) {
      applied.add(name);
      if (entry.seq > lastSeq + 1 && content.bad.length === 0) damaged = tellGap(name, lastSeq, entry, quarantine);
      for (const change of entry.changes) applyChange(document, change);
      lastSeq = Math.max(lastSeq, entry.seq);
    }
    const last = content.bad.at(-1);
    const torn = last?.torn === true && isStored ? last : null;
    file = next === undefined && !misplaced ? { name, length: torn?.start ?? bytes.length, torn } : null;
  }
  return { start: { lastSeq, file }, damaged, applied: [...applied] };
}

function tellGap(name: string, lastSeq: number, entry: JournalEntry, quarantine: Quarantine): true {
  const message = `The journal lines ${lastSeq + 1} to ${entry.seq - 1} are missing; what they changed may be lost.`;
  quarantine.tell("missing", message, null, name);
  return true;
}

/** @returns false when there was damage and no copy could be made. */
async function keepDamage(
  name: string,
  bytes: Buffer,
  content: JournalContent,
  quarantine: Quarantine,
): Promise<boolean> {
  await quarantine.keepRecords(name, content.invalid);
  if (content.bad.length === 0) return true;
  const parts = content.bad.map(({ start, end }) => bytes.subarray(start, end));
  const { torn, words } = describeDamage(parts, content.bad.at(-1)?.torn === true);
  const message = torn
    ? `The last line of ${name} was not written to its end and was cut off. It had not been acknowledged.`
    : `The journal ${name} is damaged: ${words}. All of its other lines were read.`;
  return quarantine.keep(name, bytes, torn ? "torn" : "damaged", message);
}
