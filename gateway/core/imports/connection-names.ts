import { slugOf } from "../models/model-id.ts";

const LONGEST = 100;

/** Names for connections, all different, and different too where they stand in front of models (`name/model`). */
export class ConnectionNames {
  readonly #slugs = new Set<string>();

  /**
   * @param wanted as the other program has it; what is no name at all is replaced
   * @param otherwise a name for it then
   */
  take(wanted: unknown, otherwise = "imported"): string {
    const given = typeof wanted === "string" ? wanted.replaceAll(/[\s\p{Cc}]+/gu, " ").trim() : "";
    const name = (given === "" ? otherwise : given).slice(0, LONGEST).trim();
    let free = name;
    for (let count = 2; this.#slugs.has(slugOf(free)); count += 1) {
      const end = ` ${count}`;
      free = name.slice(0, LONGEST - end.length) + end;
    }
    this.#slugs.add(slugOf(free));
    return free;
  }
}
