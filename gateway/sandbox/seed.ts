import { createHash } from "node:crypto";

/**
 * The sandbox's only source of randomness: everything that a provider would generate (ids, times, log probabilities,
 * word choice) is derived from the request itself, so that the same request gives the same bytes.
 */
export interface Seed {
  /** Returns `length` (at most 64) hexadecimal digits, different for each `label`. */
  digits(label: string, length: number): string;
  /** An integer from 0 to `below` - 1. */
  number(label: string, below: number): number;
}

/** The seed of some bytes: a request's body, or what of it should matter. */
export function createSeed(bytes: string | Uint8Array): Seed {
  const root = createHash("sha256").update(bytes).digest("hex");
  const start = Number.parseInt(root.slice(0, 8), 16);
  return {
    digits: (label, length) => createHash("sha256").update(root).update(label).digest("hex").slice(0, length),
    number: (label, below) => mix(start, label) % below,
  };
}

/** FNV-1a over the label's UTF-16 units with a final scramble: cheap, because log probabilities need one per token. */
function mix(start: number, label: string): number {
  let hash = start ^ 0x81_1c_9d_c5;
  for (let index = 0; index < label.length; index += 1) hash = Math.imul(hash ^ label.charCodeAt(index), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45_d9_f3_b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** `created` lies in the year after this moment, 2023-11-14, wherever the request's hash puts it. */
const EARLIEST_CREATED = 1_700_000_000;
const YEAR_SECONDS = 31_536_000;

/** Unix seconds. */
export function deriveCreated(seed: Seed): number {
  return EARLIEST_CREATED + seed.number("created", YEAR_SECONDS);
}
