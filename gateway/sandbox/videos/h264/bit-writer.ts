/** Writes bits from the highest down, and numbers as H.264 codes them (ITU-T H.264, 7.2 and 9.1). */
export class BitWriter {
  #bytes = new Uint8Array(4_096);
  #length = 0;
  #bits = 0;
  #count = 0;

  /** @param length at most 24. */
  put(value: number, length: number): void {
    this.#bits = (this.#bits << length) | value;
    this.#count += length;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#push((this.#bits >>> this.#count) & 255);
    }
    this.#bits &= (1 << this.#count) - 1;
  }

  /** `ue(v)`: as many zeros as the number plus one has bits behind its first, then it. Below 2²³. */
  putUnsigned(value: number): void {
    const length = 32 - Math.clz32(value + 1);
    this.put(0, length - 1);
    this.put(value + 1, length);
  }

  /** `se(v)`: 0, 1, -1, 2, -2, … */
  putSigned(value: number): void {
    this.putUnsigned(value > 0 ? 2 * value - 1 : -2 * value);
  }

  /** What was written, with the bit that ends it and zeros up to a whole byte. */
  end(): Uint8Array {
    this.put(1, 1);
    if (this.#count > 0) this.put(0, 8 - this.#count);
    return this.#bytes.subarray(0, this.#length);
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }
}
