/** Writes bits as lossless WebP has them: numbers from their lowest bit on, prefix codes from their highest. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #bits = 0;
  #count = 0;

  /** @param length at most 16. */
  put(value: number, length: number): void {
    this.#bits |= value << this.#count;
    this.#count += length;
    while (this.#count >= 8) {
      this.#bytes.push(this.#bits & 255);
      this.#bits >>>= 8;
      this.#count -= 8;
    }
  }

  putCode(code: number, length: number): void {
    let turned = 0;
    for (let bit = 0; bit < length; bit += 1) turned |= ((code >> bit) & 1) << (length - 1 - bit);
    this.put(turned, length);
  }

  end(): Buffer {
    if (this.#count > 0) this.put(0, 8 - this.#count);
    return Buffer.from(this.#bytes);
  }
}
