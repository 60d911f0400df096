import { describe, expect, test } from "vitest";
import { createStoredText, redactPieces } from "../../../../gateway/core/recordings/stored-text.ts";
import { omitMedia } from "../../../../gateway/core/recordings/omit-media.ts";
import { KnownSecrets } from "../../../../gateway/lib/known-secrets.ts";
import { redactProse } from "../../../../gateway/lib/redact.ts";

const NONE = new KnownSecrets();
const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(30_000, 7)]).toString("base64");

describe("media in a recorded body", () => {
  test.each([
    ["a data URL", `data:image/png;base64,${PNG}`, "data:image/png;omitted,30008"],
    ["bare base64, named by its own bytes", PNG, "data:image/png;omitted,30008"],
    [
      "base64 of anything else",
      Buffer.alloc(9_000, 1).toString("base64"),
      "data:application/octet-stream;omitted,9000",
    ],
    ["base64url", Buffer.alloc(9_000, 0xfb).toString("base64url"), "data:application/octet-stream;omitted,9000"],
  ])("%s is replaced by its type and size, all else is left byte for byte", (_name, value, note) => {
    const body = (image: string): string =>
      `{"model": "m",  "messages":[{"content":[{"text":"a \\"quoted\\" word"},{"image_url":{"url":"${image}"}}]}]}`;
    const { bytes, omitted } = omitMedia(Buffer.from(body(value)));
    expect(bytes.toString()).toBe(body(note));
    expect(omitted).toBe(1);
  });

  test.each([
    ["a long prompt", "Once upon a time there was a gate. ".repeat(200)],
    ["Chinese", "门".repeat(5_000)],
    ["a short id", "A".repeat(900)],
  ])("%s stays", (_name, text) => {
    const body = Buffer.from(JSON.stringify({ text }));
    expect(omitMedia(body)).toEqual({ bytes: body, omitted: 0 });
  });

  test("does not push what follows it over the bound", () => {
    const stored = createStoredText(Buffer.from(JSON.stringify({ image: PNG, prompt: "behind it" })), 1_000, NONE);
    expect(JSON.parse(stored.text)).toEqual({ image: "data:image/png;omitted,30008", prompt: "behind it" });
    expect(stored.cut).toBe(false);
  });
});

describe("a long body", () => {
  test("is cut, and never inside a character", () => {
    const stored = createStoredText(Buffer.from("门".repeat(1_000)), 1_000, NONE);
    expect(stored).toEqual({ text: "门".repeat(333), cut: true, redacted: false, omitted: 0 });
  });
});

describe("what looks like a key", () => {
  test.each([
    "my key is sk-abcdefghijklmnopqrstuvwxyz012345",
    "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30",
    "AIzaSyA1234567890abcdefghijklmnopqrs",
    "xai-abcdefgh12345678",
    "https://example.com/?api_key=verysecretvalue",
  ])("is taken out: %s", (text) => {
    const stored = createStoredText(Buffer.from(JSON.stringify({ text })), 10_000, NONE);
    expect(stored.redacted).toBe(true);
    expect(stored.text).toContain("[redacted]");
  });

  test.each([
    "Explain the basic requirements of a bearer instrument. Basic knowledge is enough.",
    "Bearer something is a word, Basic instructions. too",
    "a task-oriented risk-averse disk_usage",
  ])("words of a language stay: %s", (text) => expect(redactProse(text)).toBe(text));

  test.each([
    ["behind an escaped line end", "the key is:\nsk-abcdefghijklmnopqrstuvwxyz012345"],
    ["in an address before an escaped quote", 'open "https://example.com/?key=abcdef" now'],
    ["in JSON inside of JSON", JSON.stringify({ url: "https://example.com/?token=abcdef", note: 'say "x"' })],
  ])("is taken out %s, and JSON stays JSON", (_where, text) => {
    const { text: stored } = createStoredText(Buffer.from(JSON.stringify({ a: 1, text, b: [text] })), 10_000, NONE);
    const read = JSON.parse(stored) as { text: string; b: string[] };
    expect(read.text).toContain("[redacted]");
    expect(read.b).toEqual([read.text]);
    if (text.startsWith("{")) expect(JSON.parse(read.text)).toMatchObject({ note: 'say "x"' });
  });

  test("leaves a cut body readable up to its end", () => {
    const body = JSON.stringify({ text: "key=1 sk-abcdefghijklmnopqrstuvwxyz012345 ", more: "x".repeat(100) });
    const { text } = createStoredText(Buffer.from(body), 80, NONE);
    expect(text).toMatch(/^\{"text":"key=1 sk-\[redacted\] ","more":"x+$/);
  });

  test("and what is known for one is taken out whatever it looks like", () => {
    const secrets = new KnownSecrets();
    secrets.set(["correct horse battery staple"]);
    const body = JSON.stringify({ text: 'say "correct horse battery staple"' });
    expect(createStoredText(Buffer.from(body), 1_000, secrets)).toMatchObject({
      text: `{"text":"say \\"[redacted]${"*".repeat(18)}\\""}`,
      redacted: true,
    });
  });

  test("is taken out where it lies across two pieces of a stream", () => {
    const key = "sk-abcdefghijklmnopqrstuvwxyz012345";
    const { pieces, redacted } = redactPieces(["before ", `it ${key.slice(0, 9)}`, `${key.slice(9)} after`], NONE);
    expect(redacted).toBe(true);
    expect(pieces.join("")).toBe("before it sk-[redacted] after");
    expect(pieces).toHaveLength(3);
    expect(redactPieces(["a", "b"], NONE)).toEqual({ pieces: ["a", "b"], redacted: false });
  });
});
