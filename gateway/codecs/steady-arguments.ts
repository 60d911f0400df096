/**
 * Removes repeats from the arguments of one streamed call. Some providers repeat them completely in the last chunk, or
 * cumulatively in each (https://github.com/NousResearch/hermes-agent/issues/35592 and
 * https://github.com/anomalyco/opencode/issues/17339, read 2026-11-28).
 */
export class SteadyArguments {
  /** All forwarded pieces, which are the start of one JSON object. */
  #text = "";
  #depth = 0;
  #inString = false;
  #escaped = false;
  #isWhole = false;

  /** @returns the new part of a piece; empty if there is no new text */
  push(piece: string): string {
    if (this.#isWhole) return "";
    const added = this.#text !== "" && isRepeated(piece, this.#text) ? piece.slice(this.#text.length) : piece;
    this.#text += added;
    this.#read(added);
    return added;
  }

  #read(piece: string): void {
    for (let index = 0; index < piece.length && !this.#isWhole; index += 1) {
      const character = piece[index];
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (character === "\\") this.#escaped = true;
        else if (character === '"') this.#inString = false;
      } else if (character === '"') this.#inString = true;
      else if (character === "{") this.#depth += 1;
      else if (character === "}") {
        this.#depth -= 1;
        this.#isWhole = this.#depth <= 0;
      }
    }
  }
}

/**
 * Tells whether a piece repeats the text. A nested object that begins with all earlier text looks the same, but only
 * repeats occur in practice.
 */
function isRepeated(piece: string, text: string): boolean {
  return piece.charCodeAt(0) === BRACE && text.charCodeAt(0) === BRACE && piece.startsWith(text);
}

const BRACE = 0x7b;
