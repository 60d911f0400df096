import fc from "fast-check";
import { expect, it } from "vitest";
import { KnownSecrets } from "../../../gateway/lib/known-secrets.ts";
import { UpstreamFailure } from "../../../gateway/upstream/failure.ts";
import { WithoutSecrets } from "../../../gateway/upstream/without-secrets.ts";

const SECRET = "sk-aB3/xY+9_~kQw0=zZ";
function passing() {
  const secrets = new KnownSecrets();
  secrets.set([SECRET]);
  const passed: Buffer[] = [];
  const ends: string[] = [];
  const sink = new WithoutSecrets(
    {
      onData: (chunk) => void passed.push(chunk),
      onEnd: () => void ends.push("end"),
      onError: () => void ends.push("error"),
    },
    secrets,
  );
  return { sink, passed, ends, text: () => Buffer.concat(passed).toString() };
}

const forms = [
  SECRET,
  encodeURIComponent(SECRET),
  Buffer.from(SECRET).toString("hex"),
  Buffer.from(SECRET).toString("base64"),
];
const noise = fc.string({ unit: fc.constantFrom(...Array.from("sk-aB3/ c7N%2\n")), maxLength: 40 });

it("a body that is cut anywhere passes with all but a secret in it, and ends once", () => {
  fc.assert(
    fc.property(
      noise,
      fc.constantFrom(...forms),
      noise,
      fc.array(fc.nat(500), { maxLength: 12 }),
      (before, form, after, cuts) => {
        const body = before + form + after;
        const places = [...new Set(cuts.map((cut) => cut % (body.length + 1)))].toSorted((a, b) => a - b);
        const { sink, ends, text, passed } = passing();
        for (const [index, from] of [0, ...places].entries()) {
          const chunk = body.slice(from, places[index] ?? body.length);
          if (chunk !== "") sink.onData(Buffer.from(chunk));
        }
        sink.onEnd();
        expect(text()).toHaveLength(body.length);
        expect(text().slice(0, before.length)).toBe(before);
        expect(text().slice(before.length + form.length)).toBe(after);
        // No more than a beginning that is common to many keys.
        expect(text()).not.toContain(form.slice(0, 12));
        expect(text()).not.toContain(form.slice(9, -3));
        expect(ends).toEqual(["end"]);
        expect(passed.every(({ length }) => length > 0)).toBe(true);
      },
    ),
  );
});

it("chunks without anything of a secret are the same chunks", () => {
  const { sink, passed } = passing();
  const chunks = ["one", "two ends with s", "three ends with sk-", "data: {}\n\n"].map((text) => Buffer.from(text));
  for (const chunk of chunks) sink.onData(chunk);
  expect(passed.map(String)).toEqual(chunks.map(String));
});

it.each([
  ["breaks", 12, "x", (sink: WithoutSecrets) => sink.onError(new UpstreamFailure("broken", true, "gone")), "error"],
  ["ends", 12, "x", (sink: WithoutSecrets) => sink.onEnd(), "end"],
  ["ends", 9, "x", (sink: WithoutSecrets) => sink.onEnd(), "end"],
  ["ends", 8, `x${SECRET.slice(0, 8)}`, (sink: WithoutSecrets) => sink.onEnd(), "end"],
])(
  "what waits when the body %s is passed on before that is said, after %d bytes of a secret",
  (_how, bytes, at, end, how) => {
    const { sink, text, ends } = passing();
    sink.onData(Buffer.from(`x${SECRET.slice(0, bytes)}`));
    expect(text()).toBe(at);
    end(sink);
    expect([text(), ends]).toEqual([`x${SECRET.slice(0, bytes)}`, [how]]);
  },
);
