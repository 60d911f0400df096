/** The numbers of rows by a hash of what they are looked for by, in eight bytes a row. Rows are never taken out. */
export class RowTable {
  readonly #hashOf: (row: number) => number;
  /** Numbers counted from 1; 0 is free. A power of two in length. */
  #slots = new Int32Array(1024);
  #size = 0;

  constructor(hashOf: (row: number) => number) {
    this.#hashOf = hashOf;
  }

  add(row: number): void {
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    this.#put(row);
  }

  /** Makes room for so many more. */
  reserve(rows: number): void {
    while ((this.#size + rows) * 2 > this.#slots.length) this.#grow();
  }

  /** Returns the first row with this hash that matches. */
  find(hash: number, matches: (row: number) => boolean): number | undefined {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const row = (slots[at] as number) - 1;
      if (row < 0) return undefined;
      if (this.#hashOf(row) === hash && matches(row)) return row;
    }
  }

  #put(row: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = this.#hashOf(row) & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    slots[at] = row + 1;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(before.length * 2);
    for (const slot of before) if (slot !== 0) this.#put(slot - 1);
  }
}

/** FNV-1a of a text, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
