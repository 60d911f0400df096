import type { SetupConflict, SetupKind } from "../../contract/setup-operations.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";

/** Collects refused records, so that all conflicts are reported together. It yields between records. */
export class Conflicts {
  readonly all: SetupConflict[] = [];
  readonly #named = new Set<string>();
  readonly #slices: Slices;

  constructor(clock: Clock) {
    this.#slices = new Slices(clock);
  }

  async gather(kind: SetupKind, name: string, work: () => Promise<void> | void): Promise<void> {
    if (this.#slices.over) await this.#slices.pause();
    try {
      await work();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      this.all.push({ kind, name, message: error.message });
    }
  }

  /** @throws GatewayError if a set-up names a record twice */
  once(kind: SetupKind, id: string, name: string): void {
    const mark = `${kind}/${id}`;
    if (this.#named.has(mark)) throw new GatewayError("invalid_value", `"${name}" is there twice. Name it once.`);
    this.#named.add(mark);
  }
}
