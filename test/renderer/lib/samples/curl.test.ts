import * as fc from "fast-check";
import { expect, it } from "vitest";
import { formatCurlSample } from "../../../../renderer/lib/samples/curl.ts";
import { exampleKinds, exampleRequest } from "../../../../renderer/lib/samples/example-requests.ts";
import { KEY_VARIABLE } from "../../../../renderer/lib/samples/sample-request.ts";
import { wordsOf } from "./words.ts";

const ORIGIN = "http://127.0.0.1:6174";

it("is a command that a shell takes as it is, with the key of its environment", () => {
  const body = { model: "m", stream: true, input: { prompt: 'it\'s "quiet" $HOME `date` \\ \n !x' } };
  const text = formatCurlSample(ORIGIN, { path: "/v1/videos/generations", body }, KEY_VARIABLE);
  expect(text).not.toContain("sk-");
  expect(wordsOf(text)).toEqual([
    [
      "-N",
      "http://127.0.0.1:6174/v1/videos/generations",
      "-H",
      "Authorization: Bearer sk-of-the-shell",
      "-H",
      "Content-Type: application/json",
      "-d",
      JSON.stringify(body),
    ],
  ]);
});

it("sends what was recorded as it was, with its headers, whatever it begins with", () => {
  const text = formatCurlSample(
    ORIGIN,
    { path: "/v1/x?a=1&b='2'", body: "@/etc/passwd 'x'", headers: { "x-title": "it's $(date)" }, streams: true },
    { text: "sk-…" },
  );
  expect(wordsOf(text)).toEqual([
    [
      "-N",
      `${ORIGIN}/v1/x?a=1&b='2'`,
      "-H",
      "Authorization: Bearer sk-…",
      "-H",
      "Content-Type: application/json",
      "-H",
      "x-title: it's $(date)",
      "--data-raw",
      "@/etc/passwd 'x'",
    ],
  ]);
});

it("names files of a form so that curl takes them for one file, and texts for no file", () => {
  const form = new FormData();
  form.set("prompt", "@home; it's");
  form.append("image[]", new Blob(["x"]), "picture.png");
  form.append("image[]", new Blob(["x"]), 'a,"b";type=x.png');
  expect(
    wordsOf(formatCurlSample(ORIGIN, { path: "/v1/images/edits", body: form }, KEY_VARIABLE))[0]?.slice(3),
  ).toEqual([
    "--form-string",
    "prompt=@home; it's",
    "-F",
    "image[]=@picture.png",
    "-F",
    String.raw`image[]=@"a,\"b\";type=x.png"`,
  ]);
});

it("carries any text whole", () => {
  const hostile = fc.string({ unit: fc.constantFrom("'", '"', "\\", "$", "`", "(", " ", "\n", "!", "é", "a") });
  const texts = fc.sample(hostile, { numRuns: 100, seed: 6174 });
  const words = wordsOf(...texts.map((text) => formatCurlSample(ORIGIN, { path: "/v1/x", body: { text } }, { text })));
  expect(words.map((each) => [each[2], JSON.parse(each.at(-1) ?? "")])).toEqual(
    texts.map((text) => [`Authorization: Bearer ${text}`, { text }]),
  );
});

it.each(exampleKinds)("the example of %s names the model, whatever it is called, and holds no key", (kind) => {
  const name = '@it\'s "$(date)" `x`';
  const text = formatCurlSample(ORIGIN, exampleRequest(kind, name), KEY_VARIABLE);
  const given = wordsOf(text)[0] ?? [];
  expect(text).toContain("Bearer $POSTERN_API_KEY");
  expect(text).toContain("'http://127.0.0.1:6174/v1/");
  const body = given.indexOf("-d");
  if (body === -1) expect(given).toContain(`model=${name}`);
  else expect(JSON.parse(given[body + 1] ?? "")).toMatchObject({ model: name });
});
