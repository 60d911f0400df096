import type { KeySealer } from "../../../gateway/store/store.ts";

/** A keychain that seals by turning bits around, and can be locked. */
export class TurningKeychain implements KeySealer {
  readonly backend: string;
  locked = false;
  readonly #own: number;
  /** @param own what it seals with: another one does not open that. */
  constructor(own = 0xff, backend = "keychain") {
    this.#own = own;
    this.backend = backend;
  }
  async seal(key: Uint8Array): Promise<string> {
    if (this.locked) throw new Error("the keychain refuses");
    return Buffer.from([this.#own, ...key.map((byte) => byte ^ this.#own)]).toString("hex");
  }
  async open(sealed: string): Promise<Uint8Array> {
    const [own, ...bytes] = Buffer.from(sealed, "hex");
    if (this.locked || own !== this.#own) throw new Error("the keychain refuses");
    return Uint8Array.from(bytes, (byte) => byte ^ this.#own);
  }
}
