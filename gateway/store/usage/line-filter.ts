import { hasFailed, type Ending } from "../../contract/ending.ts";
import type { Search } from "../../contract/matches-request.ts";
import type { TextField } from "./receipt-fields.ts";
import type { ReceiptLine } from "./receipt-line.ts";

export const EXACT = [
  "key",
  "model",
  "provider",
  "connection",
  "client",
  "endpoint",
  "outcome",
  "session",
  "project",
  "agent",
] as const;
export const SEARCHED = ["id", "model", "client", "code", "provider", "route", "session", "project"] as const;

const ASCII = /^[ -~]*$/;

/** The same as `matchesRequest`, of a line that was not made out. */
export function lineFilter(search: Search): (line: ReceiptLine) => boolean {
  const { status, since = -Infinity, until = Infinity, q, named = [], asked, recorded } = search;
  const exact: [TextField, Buffer][] = [];
  for (const field of EXACT) {
    const value = search[field];
    if (value !== undefined) exact.push([field, Buffer.from(JSON.stringify(value).slice(1, -1))]);
  }
  const low = q?.toLowerCase();
  // Other letters change their bytes with their case.
  const written = low !== undefined && ASCII.test(low) ? JSON.stringify(low).slice(1, -1) : null;
  const hundreds = status === undefined || status === "failed" ? null : Number(status.slice(0, 1));
  return (line) => {
    if (line.at < since || line.at >= until) return false;
    if (hundreds !== null && Math.floor(line.status / 100) !== hundreds) return false;
    if (status === "failed" && !hasFailed(endingOf(line))) return false;
    for (const [field, written] of exact) if (!line.is(field, written)) return false;
    if (asked !== undefined && !asked.includes(line.text("route") || line.text("model"))) return false;
    if (low === undefined || named.includes(line.text("connection")) || finds(line, low, written)) return true;
    return recorded !== undefined && recorded.has(line.text("id"));
  };
}

const endingOf = (line: ReceiptLine): Ending => ({
  outcome: line.text("outcome"),
  code: line.text("code") || null,
  status: line.status,
});

function finds(line: ReceiptLine, low: string, written: string | null): boolean {
  if (written !== null && !line.mayHave(SEARCHED, written)) return false;
  for (const field of SEARCHED) if (line.text(field).toLowerCase().includes(low)) return true;
  return false;
}
