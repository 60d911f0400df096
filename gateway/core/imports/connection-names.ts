import { getSlug } from "../models/model-id.ts";

const LONGEST = 100;
const DIRECT = " direct";

/** Generates unique names for connections, which stay unique as prefixes of models (`name/model`). */
export class ConnectionNames {
  readonly #slugs = new Set<string>();
  /** Makers of models, and under which names others sell models of theirs. */
  readonly #sellers = new Map<string, Set<string>>();

  /**
   * Registers the models of a connection. If one sells `deepseek/deepseek-chat`, another one must not be called
   * `deepseek`, because their models would share a name.
   */
  sells(name: unknown, models: readonly string[]): void {
    const seller = getSlug(cleanName(name));
    for (const model of models) {
      const slash = model.indexOf("/");
      if (slash < 1) continue;
      const maker = getSlug(model.slice(0, slash));
      this.#sellers.set(maker, (this.#sellers.get(maker) ?? new Set()).add(seller));
    }
  }

  /**
   * @param preferred as the other program has it; what is no name at all is replaced
   * @param otherwise a name for it then
   */
  take(preferred: unknown, otherwise = "imported"): string {
    const given = cleanName(preferred);
    const plain = (given === "" ? otherwise : given).slice(0, LONGEST).trim();
    const sellers = [...(this.#sellers.get(getSlug(plain)) ?? [])];
    const isMaker = sellers.some((seller) => seller !== getSlug(plain));
    const name = isMaker ? `${plain.slice(0, LONGEST - DIRECT.length)}${DIRECT}` : plain;
    let free = name;
    for (let count = 2; this.#slugs.has(getSlug(free)); count += 1) {
      const end = ` ${count}`;
      free = name.slice(0, LONGEST - end.length) + end;
    }
    this.#slugs.add(getSlug(free));
    return free;
  }
}

function cleanName(name: unknown): string {
  return typeof name === "string" ? name.replaceAll(/[\s\p{Cc}]+/gu, " ").trim() : "";
}
