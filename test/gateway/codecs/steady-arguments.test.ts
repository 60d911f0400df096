import fc from "fast-check";
import { expect, it } from "vitest";
import { SteadyArguments } from "../../../gateway/codecs/steady-arguments.ts";

const whole = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
/** A text in pieces, some of them empty. */
const inPieces = whole.chain((text) =>
  fc.array(fc.nat(text.length), { maxLength: 8 }).map((cuts) => {
    const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
    return { text, places, pieces: places.slice(1).map((end, at) => text.slice(places[at], end)) };
  }),
);
/** An object within that begins with all that came before it reads like a repeat. */
const readsLikeRepeat = ({
  text,
  places,
  pieces,
}: {
  text: string;
  places: readonly number[];
  pieces: string[];
}): boolean =>
  pieces.some(
    (piece, at) => (places[at] ?? 0) > 0 && piece.startsWith("{") && piece.startsWith(text.slice(0, places[at])),
  );
const plainPieces = inPieces.filter((made) => !readsLikeRepeat(made));

function told(pieces: readonly string[]): string {
  const steady = new SteadyArguments();
  return pieces.map((piece) => steady.push(piece)).join("");
}

it("passes pieces on as they are", () => {
  fc.assert(
    fc.property(plainPieces, ({ text, pieces }) => {
      expect(told(pieces)).toBe(text);
    }),
  );
});

it("drops what comes after a whole object: all of it again, or anything", () => {
  fc.assert(
    fc.property(plainPieces, fc.string(), ({ text, pieces }, rest) => {
      expect(told([...pieces, text])).toBe(text);
      expect(told([...pieces, rest])).toBe(text);
    }),
  );
});

it("takes pieces that tell all so far for what they add", () => {
  fc.assert(
    fc.property(inPieces, ({ text, pieces }) => {
      const all = pieces.map((_, at) => pieces.slice(0, at + 1).join("")).filter((piece) => piece !== "");
      expect(told(all)).toBe(text);
    }),
  );
});
