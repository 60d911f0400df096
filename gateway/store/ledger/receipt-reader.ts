import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { SQLOutputValue } from "node:sqlite";
import { unframe } from "../disk/line.ts";
import { asUsageLine, segmentName } from "../disk/segments.ts";
import { getFile, getOffset } from "./ledger-table.ts";

/**
 * Reads receipts from the log.
 * @param rows rows with `place` and `length` @returns each as JSON, and the places of damaged ones
 */
export function readReceipts(
  folder: string,
  rows: readonly Readonly<Record<string, SQLOutputValue>>[],
): { readonly receipts: string[]; readonly damaged: number[] } {
  const files = new Map<number, number>();
  const receipts: string[] = [];
  const damaged: number[] = [];
  try {
    for (const row of rows) {
      const [place, length] = [Number(row["place"]), Number(row["length"])];
      const number = getFile(place);
      const file = files.get(number) ?? openSync(join(folder, segmentName(getMonth(number))), "r");
      files.set(number, file);
      const receipt = readOne(file, getOffset(place), length);
      if (receipt === null) damaged.push(place);
      else receipts.push(receipt);
    }
  } finally {
    for (const file of files.values()) closeSync(file);
  }
  return { receipts, damaged };
}

function readOne(file: number, offset: number, length: number): string | null {
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(file, bytes, 0, length, offset) < length) return null;
  const line = asUsageLine(unframe(bytes));
  return line !== undefined && "receipt" in line ? JSON.stringify(line.receipt) : null;
}

const getMonth = (number: number): string =>
  `${String(Math.floor(number / 12)).padStart(4, "0")}-${String((number % 12) + 1).padStart(2, "0")}`;
