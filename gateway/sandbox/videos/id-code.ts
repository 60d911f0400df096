import { createHash } from "node:crypto";

/** Whole numbers by name: what a task is made from. */
export type Figures<Name extends string> = Readonly<Record<Name, number>>;

/** Writes figures into an id and reads them back. */
export interface IdCode<Name extends string> {
  /** Hexadecimal digits, which look like any. @throws Error for a figure that has no room: a bug */
  write(figures: Figures<Name>): string;
  /** @returns null for digits that were never written by it. */
  read(digits: string): Figures<Name> | null;
}

const LEAST_CHECK_BITS = 16;

/**
 * The sandbox runs in the gateway's process and dies with it, and its tasks must not: so an id holds all that its task is,
 * and the sandbox keeps nothing. What room is left is filled with a digest of the rest, by which ids that were never
 * given are told. It is no secret, since whoever makes an id for himself gets a film from the sandbox and no more.
 * @param purpose keeps ids of one provider from being another's.
 * @param widths bits of each figure.
 */
export function idCode<Name extends string>(purpose: string, length: number, widths: Figures<Name>): IdCode<Name> {
  const fields = Object.entries<number>(widths) as [Name, number][];
  const used = fields.reduce((sum, [, width]) => sum + width, 0);
  const checkBits = length * 4 - used;
  if (checkBits < LEAST_CHECK_BITS) throw new Error(`an id of ${length} digits has no room for ${used} bits`);
  const shift = BigInt(used);
  const mask = (1n << shift) - 1n;
  const digest = (text: string): bigint =>
    BigInt(
      `0x${createHash("sha256")
        .update(purpose + text)
        .digest("hex")}`,
    );
  const checkOf = (content: bigint): bigint => digest(`check ${content}`) >> BigInt(256 - checkBits);
  // Without it ids of one hour would look alike.
  const veil = (content: bigint, check: bigint): bigint => content ^ (digest(`veil ${check}`) & mask);
  return {
    write: (figures) => {
      let content = 0n;
      for (const [name, width] of fields) {
        const figure = figures[name];
        if (!(Number.isInteger(figure) && figure >= 0 && figure < 2 ** width)) {
          throw new Error(`${name} has no room for ${figure}`);
        }
        content = (content << BigInt(width)) | BigInt(figure);
      }
      const check = checkOf(content);
      return ((check << shift) | veil(content, check)).toString(16).padStart(length, "0");
    },
    read: (digits) => {
      if (digits.length !== length || !/^[0-9a-f]+$/.test(digits)) return null;
      const whole = BigInt(`0x${digits}`);
      const check = whole >> shift;
      let content = veil(whole & mask, check);
      if (checkOf(content) !== check) return null;
      const figures = {} as Record<Name, number>;
      for (const [name, width] of fields.toReversed()) {
        figures[name] = Number(content & ((1n << BigInt(width)) - 1n));
        content >>= BigInt(width);
      }
      return figures;
    },
  };
}

/** 32 digits in the groups of a UUID. */
export function asUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** @returns the digits of a UUID; empty for anything else, capital letters included. */
export function uuidDigits(id: string): string {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id.replaceAll("-", "") : "";
}

/** The same as lower-case letters and digits, always as many. */
export function asLetters(digits: string): string {
  return BigInt(`0x${digits}`).toString(36).padStart(lettersFor(digits.length), "0");
}

/** @param length how many digits were written. @returns the digits of `asLetters`; empty for anything else. */
export function letterDigits(letters: string, length: number): string {
  if (letters.length !== lettersFor(length) || !/^[0-9a-z]+$/.test(letters)) return "";
  let value = 0n;
  for (const letter of letters) value = value * 36n + BigInt(Number.parseInt(letter, 36));
  return value.toString(16).padStart(length, "0");
}

function lettersFor(digits: number): number {
  return Math.ceil((digits * 4) / Math.log2(36));
}
