import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WithoutSecrets } from "../../../gateway/upstream/without-secrets.ts";
import { unescapeJson } from "../../../gateway/lib/json-escapes.ts";
import { KnownSecrets } from "../../../gateway/lib/known-secrets.ts";

const SECRET = "sk-aB3/xY+9_~kQw0=zZ";
function knowing(...secrets: readonly string[]): KnownSecrets {
  const known = new KnownSecrets();
  known.set(secrets);
  return known;
}

const hexOf = (text: string): string => Buffer.from(text).toString("hex");
const percent = (text: string): string => hexOf(text).replace(/../g, "%$&");
const unicode = (text: string): string => hexOf(text).replace(/../g, "\\u00$&");
/** The ways to write a text in which a secret is hidden. */
const WRITINGS: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "for a URL": encodeURIComponent,
  "escaped for a URL as a whole": percent,
  "escaped for a URL as a whole, in capitals": (text) => percent(text).toUpperCase(),
  "for JSON": (text) => JSON.stringify(text).slice(1, -1),
  "escaped for JSON as a whole": unicode,
  "with one letter escaped for JSON": (text) => `${unicode(text.slice(0, 1))}${text.slice(1)}`,
  "with some letters escaped for JSON": (text) =>
    text.replace(/./g, (sign, at) => (at % 3 === 1 ? unicode(sign) : sign)),
  "with slashes escaped for JSON": (text) => text.replaceAll("/", "\\/"),
  "escaped for JSON in JSON": (text) =>
    JSON.stringify(`${text.slice(0, 4)}${unicode(text.slice(4, 5))}${text.slice(5)}`).slice(1, -1),
  "in hexadecimal": hexOf,
  "in hexadecimal capitals": (text) => hexOf(text).toUpperCase(),
  "in base64": (text) => Buffer.from(text).toString("base64"),
  "in base64 behind one byte": (text) => Buffer.from(`x${text}`).toString("base64"),
  "in base64 behind two bytes": (text) => Buffer.from(`Ba${text}`).toString("base64"),
  "in base64url": (text) => Buffer.from(text).toString("base64url"),
  "in base64url with more around it": (text) => Buffer.from(`Bearer ${text} and more`).toString("base64url"),
};

describe.each(Object.entries(WRITINGS))("a secret that is written %s", (_how, write) => {
  const written = write(SECRET);

  it.each([
    ["alone", ""],
    ["in a sentence", "The key that came was "],
    ["behind much else", "lorem ipsum ".repeat(500)],
  ])("is taken out %s, and all else stays where it was", (_where, before) => {
    const text = `${before}${written} was it`;
    const clean = knowing(SECRET).clean(Buffer.from(text)).toString();
    expect(clean).toHaveLength(text.length);
    expect(clean.startsWith(before)).toBe(true);
    expect(clean.endsWith(" was it")).toBe(true);
    // Base64 shares its outermost characters with what is around it.
    expect(clean).not.toContain(written.slice(6, -6));
    expect(knowing(SECRET).cleanText(text)).toBe(clean);
  });

  it("leaves JSON that JSON can read", () => {
    const text = `{"a":"${written}","${written}":[1,"x${written}"]}`;
    expect(() => JSON.parse(knowing(SECRET).clean(Buffer.from(text)).toString()) as unknown).not.toThrow();
  });
});

it("a secret of digits leaves a number where it stood as one", () => {
  const clean = knowing("123456789012").clean(Buffer.from('{"at":123456789012,"key":"123456789012"}'));
  expect(JSON.parse(clean.toString())).toEqual({ at: 111_111_111_111, key: "111111111111" });
});

it("base64 in which one was hidden can still be decoded", () => {
  const body = Buffer.from(`\u0001\u0002${SECRET}\u0003`).toString("base64");
  const clean = Buffer.from(knowing(SECRET).clean(Buffer.from(body)).toString(), "base64");
  expect(clean).toHaveLength(SECRET.length + 3);
  expect([clean[0], clean[1], clean.at(-1)]).toEqual([1, 2, 3]);
});

it("nothing is known of stand-ins", () => {
  const known = knowing("none", "ollama", "sk-no-key");
  expect(known.cleanText("ollama needs none: sk-no-key")).toBe("ollama needs none: sk-no-key");
});

it("the same object comes back where nothing was hidden", () => {
  const bytes = Buffer.from("The quick brown fox jumps over the lazy dog. ".repeat(100));
  expect(knowing(SECRET).clean(bytes)).toBe(bytes);
});

it("what is no longer a secret stays", () => {
  const known = knowing(SECRET);
  known.set([]);
  expect(known.cleanText(SECRET)).toBe(SECRET);
});

it("no cut between two chunks shows more than the beginning of one, however it is escaped", () => {
  for (const write of Object.values(WRITINGS).slice(0, 10)) {
    const text = `{"a":"${write(SECRET)}"}`;
    for (let cut = 1; cut < text.length; cut++) {
      const chunks: Buffer[] = [];
      const sink = { onData: (chunk: Buffer) => void chunks.push(chunk), onEnd: () => {}, onError: () => {} };
      const without = new WithoutSecrets(sink, knowing(SECRET));
      without.onData(Buffer.from(text.slice(0, cut)));
      without.onData(Buffer.from(text.slice(cut)));
      without.onEnd();
      const shown = Buffer.concat(chunks).toString();
      expect(shown).toHaveLength(text.length);
      expect(JSON.stringify(JSON.parse(shown)), `${text} cut at ${cut}`).not.toContain(SECRET.slice(8));
      expect(shown).not.toContain(write(SECRET).slice(14));
    }
  }
});

const secretText = fc.string({
  unit: fc.constantFrom(...Array.from("abcXYZ0189-_./+=")),
  minLength: 12,
  maxLength: 40,
});
const noise = fc.string({ unit: "grapheme", maxLength: 60 });

it("no place and no neighbours hide a secret from it", () => {
  fc.assert(
    fc.property(
      fc.array(secretText, { minLength: 1, maxLength: 4 }),
      noise,
      noise,
      fc.constantFrom(...Object.values(WRITINGS)),
      fc.nat(),
      (secrets, before, after, write, which) => {
        const written = write(secrets[which % secrets.length] ?? "");
        const known = knowing(...secrets);
        const bytes = known.clean(Buffer.from(before + written + after));
        expect(bytes).toHaveLength(Buffer.byteLength(before + written + after));
        expect(bytes.toString()).not.toContain(written.slice(5, -5));
        expect(known.cleanText(before + written + after)).toBe(bytes.toString());
      },
    ),
  );
});

describe("a text that comes piece by piece", () => {
  it("shows no more than the beginning of a secret, however it is cut", () => {
    fc.assert(
      fc.property(secretText, noise, noise, fc.array(fc.nat(200), { maxLength: 30 }), (secret, before, after, cuts) => {
        const text = before + secret + after;
        const veil = knowing(secret).veil();
        const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
        const pieces = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
        const shown = pieces.map((piece) => veil?.piece("a", piece) ?? "").join("");
        expect(shown).toHaveLength(text.length);
        expect(shown).not.toContain(secret);
        expect(shown.slice(before.length + 8, before.length + secret.length)).toMatch(/^\**$/);
      }),
    );
  });

  it.each(Object.entries(WRITINGS).slice(0, 10))("shows no more where it is written %s", (_how, write) => {
    const text = `{"a":"${write(SECRET)}"}`;
    for (const size of [1, 2, 3, 7, 20]) {
      const veil = knowing(SECRET).veil();
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      const shown = pieces.map((piece) => veil?.piece("a", piece) ?? "").join("");
      expect(shown).toHaveLength(text.length);
      expect(unescapeJson(shown)?.text ?? shown).not.toContain(SECRET.slice(8));
      expect(shown).not.toContain(write(SECRET).slice(-8));
    }
  });

  it("is not confused by another text next to it", () => {
    const veil = knowing(SECRET).veil();
    const half = SECRET.length / 2;
    const shown = [
      veil?.piece("a", SECRET.slice(0, half)),
      veil?.piece("b", SECRET.slice(0, half)),
      veil?.piece("a", SECRET.slice(half)),
      veil?.piece("b", " is the beginning"),
    ];
    expect(shown[2]).toBe("*".repeat(half));
    expect(shown[3]).toBe(" is the beginning");
  });

  it("stays as it is where nothing is hidden", () => {
    const veil = knowing(SECRET).veil();
    for (const piece of ["s", "k", "-", "sk-", "the ", "task-force", "sk-aB4"])
      expect(veil?.piece("a", piece)).toBe(piece);
  });
});
