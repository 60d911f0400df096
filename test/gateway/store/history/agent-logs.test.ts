import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AgentLogs } from "../../../../gateway/store/history/agent-logs.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { needs } from "../../../support/needs.ts";

let folder = "";
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function linesOf(logs: AgentLogs, path: string, from = 0) {
  const found: string[] = [];
  let [tooLong, end] = [0, from];
  for await (const piece of logs.lines(path, from)) {
    found.push(...piece.lines.map(String));
    tooLong += piece.tooLong;
    ({ end } = piece);
  }
  return { found, tooLong, end };
}

it("finds logs in folders of any depth, and follows no link below the one that was named", async () => {
  await mkdir(join(folder, "projects/-p/s1/subagents"), { recursive: true });
  await mkdir(join(folder, "elsewhere"));
  await writeFile(join(folder, "projects/-p/s1.jsonl"), "{}\n");
  await writeFile(join(folder, "projects/-p/s1/subagents/agent-1.jsonl"), "{}\n{}\n");
  await writeFile(join(folder, "projects/-p/notes.txt"), "no");
  await writeFile(join(folder, "elsewhere/x.jsonl"), "{}\n");
  await symlink(join(folder, "elsewhere"), join(folder, "projects/-linked"));
  await symlink(join(folder, "elsewhere/x.jsonl"), join(folder, "projects/-p/linked.jsonl"));
  await symlink(join(folder, "projects"), join(folder, "way"));
  const logs = new AgentLogs();
  const place = await logs.place(join(folder, "way"));
  expect(place).toBe(await logs.place(join(folder, "projects")));
  expect(
    (await logs.find(place ?? "", /\.jsonl$/)).map(({ folders, stem, bytes }) => [folders.join("/"), stem, bytes]),
  ).toEqual([
    ["-p", "s1", 3],
    ["-p/s1/subagents", "agent-1", 6],
  ]);
  expect(await logs.place(join(folder, "nothing"))).toBeNull();
});

it.skipIf(process.platform === "win32")(
  "does not wait for a pipe in the place of a log",
  needs("named pipes"),
  async () => {
    const path = join(folder, "pipe.jsonl");
    execFileSync("mkfifo", [path]);
    await expect(linesOf(new AgentLogs(), path)).rejects.toThrow("is no file");
    expect(await new AgentLogs().find(folder, /\.jsonl$/)).toEqual([]);
  },
);

describe("lines", () => {
  it.each<[string, string, readonly string[], number, number]>([
    ["end with a newline", '{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}'], 0, 16],
    ["may be empty", "\n\n{}\n", ["", "", "{}"], 0, 5],
    ["that are being written are left", '{"a":1}\n{"b":', ['{"a":1}'], 0, 8],
    ["that lack only their newline are read", '{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}'], 0, 15],
    ["that are too long are passed over", `{}\n${"x".repeat(60)}\n{}\n`, ["{}", "{}"], 1, 67],
    ["that are too long and not over are left", `{}\n${"x".repeat(60)}`, ["{}"], 0, 3],
  ])("%s", async (_, text, found, tooLong, end) => {
    const path = join(folder, "a.jsonl");
    await writeFile(path, text);
    expect(await linesOf(new AgentLogs({ readBytes: 7, longest: 40 }), path)).toEqual({ found, tooLong, end });
  });

  it("are the same in one go and in pieces of any size, from any of their beginnings", async () => {
    const path = join(folder, "a.jsonl");
    const texts = fc.array(
      fc.string({ maxLength: 30, unit: "grapheme" }).map((text) => JSON.stringify(text)),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 50 }), fc.nat(), async (lines, readBytes, start) => {
        await writeFile(path, lines.map((line) => `${line}\n`).join(""));
        const skipped = lines.length === 0 ? 0 : start % lines.length;
        const from = Buffer.byteLength(
          lines
            .slice(0, skipped)
            .map((line) => `${line}\n`)
            .join(""),
        );
        const { found } = await linesOf(new AgentLogs({ readBytes }), path, from);
        expect(found).toEqual(lines.slice(skipped));
      }),
    );
  });
});

it("tells a log's first line and the bytes before an offset", async () => {
  const path = join(folder, "a.jsonl");
  await writeFile(path, '{"a":1}\n{"b":2}\n');
  const logs = new AgentLogs();
  expect([
    String(await logs.first(path)),
    String(await logs.before(path, 8)),
    String(await logs.before(path, 0)),
  ]).toEqual(['{"a":1}', '{"a":1}\n', ""]);
});
