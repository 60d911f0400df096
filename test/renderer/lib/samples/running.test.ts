import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeSample, type SampleKind } from "../../../../renderer/lib/samples/code-sample.ts";
import { exampleRequest } from "../../../../renderer/lib/samples/example-requests.ts";
import type { SampleRequest } from "../../../../renderer/lib/samples/sample-request.ts";
import { png } from "../../../support/pictures.ts";
import { KEY, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { needs } from "../../../support/needs.ts";

/** Every sample is run as a person would run it, against a Postern with its sandbox: one process for each language. */

const PROJECT = join(import.meta.dirname, "../../../..");
const run = promisify(execFile);
let postern: TestGateway;
let folder: string;

beforeAll(async () => {
  postern = await startGateway({ env: { POSTERN_SANDBOX: "on" } });
  folder = await mkdtemp(join(tmpdir(), "postern-samples-"));
  // Packages are found as they are in a person's own project.
  await symlink(join(PROJECT, "node_modules"), join(folder, "node_modules"));
});
afterAll(async () => {
  await postern.close();
  await rm(folder, { recursive: true, force: true });
});

const hello = { model: "gpt-5.4-mini", messages: [{ role: "user", content: "Say hello, it's $HOME." }] };
const claude = { model: "claude-sonnet-5-5", max_tokens: 100, messages: hello.messages };

function edit(): FormData {
  const form = new FormData();
  for (const [name, value] of [
    ["model", "delta-image-1"],
    ["prompt", "it's night"],
    ["n", "2"],
  ] as const) {
    form.set(name, value);
  }
  for (const name of ["picture.png", "a, b.png"]) form.append("image[]", new Blob(), name);
  form.set("mask", new Blob(), "mask.png");
  return form;
}

/** What is called, and what has to come: words that are printed, or the name and the first bytes of a file. */
const calls: readonly (readonly [string, SampleRequest, RegExp | readonly [string, string]])[] = [
  ["chat", exampleRequest("chat", "gpt-5.4-mini"), /gpt-5\.4-mini/],
  ["chat, streamed", { path: "/v1/chat/completions", body: { ...hello, stream: true } }, /sandbox/],
  ["responses", { path: "/v1/responses", body: { model: "gpt-5.4-mini", input: "Say hello." } }, /gpt-5/],
  ["messages", { path: "/v1/messages", body: claude }, /claude/],
  ["messages, streamed", { path: "/v1/messages", body: { ...claude, stream: true } }, /sonnet/],
  ["embeddings", exampleRequest("embedding", "text-embedding-3-small"), /1536|"embedding"/],
  ["an image", exampleRequest("image", "delta-image-1"), ["picture-1.png", "\u0089PNG"]],
  [
    "an image of another family",
    { path: "/v1/images/generations", body: { model: "doubao-seedream-5-0-260128", prompt: "A heron", seed: 7 } },
    /http/,
  ],
  ["an edit of two pictures", { path: "/v1/images/edits", body: edit() }, ["picture-2.png", "\u0089PNG"]],
  ["speech", exampleRequest("speech", "tts-1"), ["speech.mp3", ""]],
  [
    "speech by default",
    { path: "/v1/audio/speech", body: { model: "tts-1", input: "Hello.", response_format: "wav" } },
    ["speech.wav", "RIFF"],
  ],
  ["a video", exampleRequest("video", "sora-2"), /id/],
];

/** Runs each file of the folder that it stands in, one after the other, and prints a mark behind each. */
const runners: Readonly<Record<SampleKind, { readonly file: string; readonly command: readonly string[] }>> = {
  curl: {
    file: "sh",
    command: [
      "sh",
      "-c",
      `curl() { command curl -sSf "$@"; }; for each in sample-*.sh; do . "./$each"; printf '\\0'; done`,
    ],
  },
  python: {
    file: "py",
    command: [
      "python3",
      "-c",
      "import glob\nfor each in sorted(glob.glob('sample-*.py')):\n    exec(open(each).read(), {})\n    print(end='\\0')",
    ],
  },
  typescript: {
    file: "mts",
    command: [
      process.execPath,
      "--input-type=module",
      "-e",
      `import { globSync } from "node:fs";
       for (const each of globSync("sample-*.mts").sort()) {
         await import(process.cwd() + "/" + each);
         process.stdout.write("\\0");
       }`,
    ],
  },
};

const has = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;
const PROGRAMS: Readonly<Record<SampleKind, string>> = {
  curl: "curl",
  python: "Python 3 with openai and anthropic",
  typescript: "Node",
};
const able: Readonly<Record<SampleKind, boolean>> = {
  curl: has("curl", "--version"),
  python: has("python3", "-c", "import openai, anthropic"),
  typescript: true,
};

describe.each(["curl", "python", "typescript"] as const)("the samples for %s", (kind) => {
  it.skipIf(!able[kind])("make their calls", { ...needs(PROGRAMS[kind]), timeout: 120_000 }, async () => {
    const place = join(folder, kind);
    await mkdir(place);
    for (const name of ["picture.png", "a, b.png", "mask.png"]) await writeFile(join(place, name), png());
    const { file, command } = runners[kind];
    for (const [index, [, request]] of calls.entries()) {
      const name = `sample-${String(index).padStart(2, "0")}.${file}`;
      await writeFile(join(place, name), codeSample(kind, postern.url, request));
    }
    const [program = "", ...args] = command;
    const env = { ...process.env, POSTERN_API_KEY: KEY, NO_PROXY: "127.0.0.1" };
    const { stdout } = await run(program, args, { cwd: place, env, maxBuffer: 2 ** 26 });
    const printed = stdout.split("\0");
    for (const [index, [name, , expected]] of calls.entries()) {
      const text = printed[index] ?? "";
      if (expected instanceof RegExp) expect(text, name).toMatch(expected);
      // What others save, curl prints.
      else if (kind === "curl" && expected[0].startsWith("picture")) expect(text, name).toContain('"b64_json"');
      else {
        const bytes = await readFile(join(place, expected[0]));
        expect(bytes.length, name).toBeGreaterThan(100);
        expect(bytes.toString("latin1").startsWith(expected[1]), name).toBe(true);
      }
    }
  });
});
