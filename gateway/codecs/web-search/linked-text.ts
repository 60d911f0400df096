import type { NumberedResult } from "../../core/search/search-result.ts";
import { characterCount } from "../../lib/characters.ts";
import type { Document } from "../translation.ts";
import { CitationReader } from "./citations.ts";
import type { CitedPart } from "./citations.ts";

/** More text, and the sources that it names. */
export interface Linked {
  readonly text: string;
  /** `url_citation`s, their places counted in characters of the whole text. */
  readonly annotations: readonly Document[];
}

/**
 * Replaces citation marks by links, as OpenAI's models write them: `([example.com](https://example.com/a))`, and a
 * `url_citation` for each (platform.openai.com/docs/guides/tools-web-search#output-and-citations).
 */
export class LinkedText {
  text = "";
  readonly annotations: Document[] = [];
  readonly #known: ReadonlyMap<number, NumberedResult>;
  readonly #reader: CitationReader;
  #characters = 0;

  constructor(known: ReadonlyMap<number, NumberedResult>) {
    this.#known = known;
    this.#reader = new CitationReader((number) => known.has(number));
  }

  push(piece: string): Linked {
    return this.#linkText(this.#reader.push(piece));
  }

  flush(): Linked {
    return this.#linkText(this.#reader.flush());
  }

  #linkText(parts: readonly CitedPart[]): Linked {
    const before = this.text.length;
    const first = this.annotations.length;
    for (const part of parts) {
      if (part.kind === "text") this.#say(part.text);
      else for (const number of part.numbers) this.#cite(number);
    }
    return { text: this.text.slice(before), annotations: this.annotations.slice(first) };
  }

  #say(text: string): void {
    this.text += text;
    // Indices are of characters as the API counts them, not of UTF-16.
    this.#characters += characterCount(text);
  }

  #cite(number: number): void {
    const result = this.#known.get(number);
    if (result === undefined) return;
    const { title, url } = result;
    if (this.text !== "" && !/\s$/.test(this.text)) this.#say(" ");
    const start = this.#characters;
    const host = URL.parse(url)?.hostname.replace(/^www\./, "") ?? url;
    this.#say(`([${host}](${url.replaceAll("(", "%28").replaceAll(")", "%29")}))`);
    this.annotations.push({ type: "url_citation", start_index: start, end_index: this.#characters, url, title });
  }
}
