import { createHash } from "node:crypto";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { Clock } from "../../../gateway/lib/clock.ts";
import { frame, unframe } from "../../../gateway/store/disk/line.ts";
import { fileSealer } from "../../../gateway/store/data-key.ts";
import type { Change, StoredKey } from "../../../gateway/store/document.ts";
import { openStore, type OpenedStore, type OpenStoreOptions } from "../../../gateway/store/open-store.ts";
import type { StoreEvent } from "../../../gateway/store/store-event.ts";
import type { OpenCall } from "../../../gateway/store/store.ts";

export const NOON = Date.UTC(2026, 10, 20, 12);

/** A clock that stands still unless it is ordered to move. */
export class FixedClock implements Clock {
  at = NOON;
  passed = 0;
  now(): number {
    return this.at;
  }
  monotonic(): number {
    return this.passed;
  }
}

export interface Opened {
  readonly store: OpenedStore;
  readonly events: StoreEvent[];
  readonly clock: FixedClock;
}

export async function open(options: Partial<OpenStoreOptions> & { dir: string }): Promise<Opened> {
  const events: StoreEvent[] = [];
  const clock = new FixedClock();
  const store = await openStore({ sealer: fileSealer(), clock, log: (event) => events.push(event), ...options });
  return { store, events, clock };
}

export function storedKey(id: string, name = id): StoredKey {
  return {
    id,
    hash: "ab".repeat(32),
    prefix: "sk-ab",
    last4: "wxyz",
    name,
    models: null,
    limit_nano: null,
    reset: "never",
    expires_at: null,
    rpm: null,
    concurrency: null,
    disabled: false,
    origin: "created",
    created_at: NOON,
  };
}

export const putKey = (id: string, name?: string): Change => ({ op: "put", in: "keys", record: storedKey(id, name) });
export const dropKey = (id: string): Change => ({ op: "delete", in: "keys", id });

export function receipt(id: string, changes: Partial<Receipt> = {}): Receipt {
  return {
    id,
    at: NOON,
    key: "k1",
    endpoint: "chat",
    model: "gpt-5",
    provider: "openai",
    connection: "c1",
    client: "curl",
    status: 200,
    code: null,
    outcome: "completed",
    stream: false,
    ms: 12,
    first_ms: 5,
    sandbox: false,
    estimated: false,
    terms: [{ unit: "input", quantity: 10, nano_per_million: 1_000_000, nano: 10 }],
    nano: 10,
    price: { source: "catalog", as_of: "2026-11-01" },
    ...changes,
  };
}

export function openCall(id: string, changes: Partial<OpenCall> = {}): OpenCall {
  return {
    id,
    at: NOON,
    key: "k1",
    endpoint: "chat",
    model: "gpt-5",
    provider: "openai",
    connection: "c1",
    client: "curl",
    stream: false,
    sandbox: false,
    hold_nano: 100,
    ...changes,
  };
}

/** A generation or delta in which some JSON is replaced, with checksums as if it had been written so. */
export function reseal(bytes: Buffer, from: string | RegExp, to: string): Buffer {
  const lines = bytes.toString().trimEnd().split("\n");
  const trailer = unframe(Buffer.from(lines.pop() ?? "")) as Record<string, unknown>;
  const body = lines.map((line) => frame(line.slice(9).replace(from, to))).join("");
  const sha256 = createHash("sha256").update(body).digest("hex");
  return Buffer.from(body + frame(JSON.stringify({ ...trailer, sha256 })));
}

/** The same numbers for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
