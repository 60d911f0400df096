import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { curlOf, hasOmitted } from "../../../../renderer/features/tasks/curl.ts";

/** What a shell hands to curl, word by word. */
function wordsOf(command: string): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8", env: { POSTERN_API_KEY: "sk-of-the-shell" } })
    .split("\0")
    .slice(0, -1);
}

it("is a command that a shell takes as it is, with the key of its environment", () => {
  const request = { model: "m", input: { prompt: 'it\'s "quiet" $HOME `date` \\ \n !x' } };
  expect(curlOf("http://127.0.0.1:6174", request)).not.toContain("sk-");
  expect(wordsOf(curlOf("http://127.0.0.1:6174", request))).toEqual([
    "http://127.0.0.1:6174/v1/videos/generations",
    "-H",
    "Authorization: Bearer sk-of-the-shell",
    "-H",
    "Content-Type: application/json",
    "-d",
    JSON.stringify(request),
  ]);
});

it("carries any text whole", () => {
  const text = fc.string({ unit: fc.constantFrom("'", '"', "\\", "$", "`", "(", " ", "\n", "é", "a") });
  fc.assert(
    fc.property(text, (prompt) => {
      expect(JSON.parse(wordsOf(curlOf("http://h", { prompt })).at(-1) ?? "")).toEqual({ prompt });
    }),
    { numRuns: 40 },
  );
});

it("knows that media were left out", () => {
  expect(hasOmitted({ input: { image: "data:image/png;base64;omitted,1204" } })).toBe(true);
  expect(hasOmitted({ input: { prompt: "omitted, data: nothing" }, image: "https://a.example/i.png" })).toBe(false);
});
