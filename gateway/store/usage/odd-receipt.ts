import { frame, holeIn, unframe } from "../disk/line.ts";
import { asUsageLine } from "../disk/segments.ts";
import type { ReceiptLine } from "./receipt-line.ts";

/** What the fields that a line of an earlier or a foreign version lacks come to, or has as something else. */
const MISSING = { endpoint: "", provider: "", connection: "", status: 0, outcome: "", stream: false };
/** Objects keep the place in which a member was first put. */
const BY_NAME = { name: "" };
const finite = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

/**
 * Has `line` at a receipt of the log, whoever wrote it.
 * @param start of the line, `end` of it without its newline @returns false where there is none
 */
export function readReceipt(line: ReceiptLine, bytes: Buffer, start: number, end: number): boolean {
  const kind = line.read(bytes, start, end);
  return kind === "receipt" || (kind === "unknown" && readOdd(line, bytes.subarray(start, end)));
}

/** What another version or another program wrote, or what is damaged: it is made out and written as here. */
function readOdd(line: ReceiptLine, text: Buffer): boolean {
  const odd = asUsageLine(unframe(text) ?? unframe(text.subarray(holeIn(text))));
  if (odd === undefined || !("receipt" in odd)) return false;
  const { ms, first_ms, nano, route, code, ...others } = odd.receipt;
  const times = { ms: finite(ms) ?? 0, first_ms: finite(first_ms) };
  // Its name first, by which a line is known.
  const routed = typeof route?.name === "string" ? { route: { ...BY_NAME, ...route } } : {};
  const known = Object.entries(MISSING).map(([name, missing]) => {
    const value: unknown = others[name as keyof typeof MISSING];
    return [name, typeof value === typeof missing ? value : missing] as const;
  });
  const receipt = { ...others, ...Object.fromEntries(known), code: code ?? null, ...times, nano, ...routed };
  const bytes = Buffer.from(frame(JSON.stringify({ n: odd.n, receipt })));
  return line.read(bytes, 0, bytes.length - 1) === "receipt";
}
