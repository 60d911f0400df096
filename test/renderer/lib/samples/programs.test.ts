import { spawnSync } from "node:child_process";
import { stripTypeScriptTypes } from "node:module";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeSample } from "../../../../renderer/lib/samples/code-sample.ts";
import { exampleKinds, exampleRequest } from "../../../../renderer/lib/samples/example-requests.ts";
import type { SampleRequest } from "../../../../renderer/lib/samples/sample-request.ts";
import { needs } from "../../../support/needs.ts";

const ORIGIN = "http://127.0.0.1:6174";
const python3 = spawnSync("python3", ["--version"]).status === 0;

/** Every call that the pages make, and calls with whatever a person may have typed. */
const requests: readonly SampleRequest[] = [
  ...exampleKinds.map((kind) => exampleRequest(kind, 'it\'s "m"\n${x} \\ `')),
  ...["/v1/chat/completions", "/v1/messages", "/v1/responses"].map((path) => ({
    path,
    body: { model: "m", max_tokens: 9, messages: [], input: "x", stream: true },
  })),
  { path: "/v1/chat/completions", body: { model: "m", messages: [], stream: true, of_its_own: 1 } },
  { path: "/v1/audio/speech", body: { model: "m", input: "x", response_format: "wav" } },
  { path: "/v1/images/edits", body: form({ prompt: "'''\"\"\"\\", n: "2" }, ["a'b.png", 'c"d.png'], true) },
  { path: "/v1/images/edits", body: form({ prompt: "x", seed: "1" }, ["a.png", "b.png"], false) },
  ...fc
    .sample(fc.tuple(fc.webPath(), fc.dictionary(fc.string(), fc.jsonValue())), { numRuns: 40, seed: 6174 })
    .map(([path, body]) => ({ path, body })),
];

function form(texts: Readonly<Record<string, string>>, files: readonly string[], mask: boolean): FormData {
  const made = new FormData();
  made.set("model", "m");
  for (const [name, value] of Object.entries(texts)) made.set(name, value);
  for (const name of files) made.append("image[]", new Blob(), name);
  if (mask) made.set("mask", new Blob(), "mask.png");
  return made;
}

describe("a program for each call", () => {
  it("can be read by a reader of TypeScript", () => {
    for (const request of requests) {
      const text = codeSample("typescript", ORIGIN, request);
      expect(() => stripTypeScriptTypes(text), text).not.toThrow();
    }
  });

  it.skipIf(!python3)("can be read by Python", needs("Python 3"), () => {
    const texts = requests.map((request) => codeSample("python", ORIGIN, request));
    const check = "import json, sys\nfor text in json.load(sys.stdin): compile(text, text, 'exec')";
    const { status, stderr } = spawnSync("python3", ["-c", check], { input: JSON.stringify(texts), encoding: "utf8" });
    expect(status, stderr).toBe(0);
  });

  it("leaves the key to the environment, or holds the one that it is given as a text", () => {
    const request = exampleRequest("chat", "m");
    expect(codeSample("typescript", ORIGIN, request)).toContain("apiKey: process.env.POSTERN_API_KEY");
    expect(codeSample("python", ORIGIN, request)).toContain('api_key=os.environ["POSTERN_API_KEY"]');
    expect(codeSample("python", ORIGIN, request, { text: 'sk-"' })).toContain(String.raw`api_key="sk-\"")`);
  });

  it("uses the SDK's own method where that takes every field, and its plain call elsewhere", () => {
    const image = { path: "/v1/images/generations", body: { model: "m", prompt: "x", aspect_ratio: "1:1" } };
    expect(codeSample("python", ORIGIN, image)).toContain('client.post(\n    "/images/generations",');
    expect(codeSample("typescript", ORIGIN, image)).toContain('client.post("/images/generations", { body: {');
    expect(codeSample("typescript", ORIGIN, exampleRequest("image", "m"))).toContain("client.images.generate({");
    // A voice by default is not one that the SDK takes.
    const speech = { path: "/v1/audio/speech", body: { model: "m", input: "x" } };
    expect(codeSample("python", ORIGIN, speech)).toContain("client.post(");
    expect(codeSample("python", ORIGIN, exampleRequest("messages", "m"))).toContain("from anthropic import Anthropic");
  });

  it("takes several pictures as a list, and numbers as numbers", () => {
    const request = { path: "/v1/images/edits", body: form({ prompt: "x", n: "2" }, ["a.png", "b.png"], true) };
    expect(codeSample("python", ORIGIN, request)).toContain('image=[open("a.png", "rb"), open("b.png", "rb")],');
    expect(codeSample("typescript", ORIGIN, request)).toContain("n: 2,");
    expect(codeSample("typescript", ORIGIN, request)).toContain(
      'image: [createReadStream("a.png"), createReadStream("b.png")],\n  mask: createReadStream("mask.png"),',
    );
  });
});
