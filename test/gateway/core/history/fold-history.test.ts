import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ClaudeLog } from "../../../../gateway/core/history/claude-log.ts";
import { CodexLog } from "../../../../gateway/core/history/codex-log.ts";
import { HistoryFold } from "../../../../gateway/core/history/fold-history.ts";
import type { HistoryEntry } from "../../../../gateway/core/history/history-entry.ts";
import { OurReceipts } from "../../../../gateway/core/history/our-receipts.ts";
import type { LogReader } from "../../../../gateway/core/history/log-reader.ts";
import { claudeLine, codexCount, codexMeta, codexTurn } from "../../../support/agent-logs.ts";

const entry: fc.Arbitrary<HistoryEntry> = fc.record({
  agent: fc.constantFrom("claude-code", "codex"),
  key: fc.constantFrom("k1", "k2", "k3", "k4"),
  scope: fc.constantFrom("", "s1", "s2"),
  at: fc.integer({ min: 0, max: 3 }),
  model: fc.constantFrom("a", "b"),
  session: fc.constantFrom("x", "y"),
  project: fc.constantFrom("p", "q"),
  served: fc.constantFrom("", "speed=fast"),
  sidechain: fc.boolean(),
  postern: fc.boolean(),
  tokens: fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2), fc.nat(2), fc.nat(2), fc.nat(2)),
});

const folded = (entries: readonly HistoryEntry[]): unknown[] => {
  const fold = new HistoryFold();
  fold.add(entries);
  return [...fold.entries()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
};

it("counts the same whatever order copies come in, and however often", () => {
  fc.assert(
    fc.property(
      fc
        .array(entry, { maxLength: 12 })
        .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        expect(folded(shuffled)).toEqual(folded(all));
        expect(folded([...all, ...shuffled])).toEqual(folded(all));
      },
    ),
  );
});

const figures = fc.tuple(fc.nat(5_000), fc.nat(4_000), fc.nat(900), fc.nat(900));
const moment = fc.nat(100_000).map((seconds) => new Date(Date.UTC(2026, 9, 12) + seconds * 1_000).toISOString());
const line: fc.Arbitrary<object | string> = fc.oneof(
  fc
    .record({
      id: fc.constantFrom("msg_1", "msg_2", "msg_3", "other", null),
      request: fc.constantFrom("req_1", "req_2", null),
      session: fc.constantFrom("s1", "s2"),
      at: moment,
      sidechain: fc.boolean(),
      usage: fc.record({
        input_tokens: fc.nat(90),
        output_tokens: fc.nat(900),
        cache_read_input_tokens: fc.nat(90_000),
      }),
    })
    .map(claudeLine),
  fc.tuple(moment, fc.option(figures), fc.option(figures)).map((count) => codexCount(...count)),
  fc.constantFrom("gpt-5.4", "gpt-5.5").map((model) => codexTurn(model)),
  fc.constantFrom(codexMeta("root"), codexMeta("other")),
  fc.constantFrom("", "{", "null", '{"type":"user"}', '{"message":{"usage":{}}}', "[1]"),
);

const none = new OurReceipts();
const makers: readonly (readonly [string, (state: unknown) => LogReader])[] = [
  ["Claude Code", (state) => new ClaudeLog({ place: { folders: ["-p"], stem: "x" }, state, receipts: none })],
  ["Codex", (state) => new CodexLog({ place: { folders: [], stem: "x" }, state, parent: [], receipts: none })],
];

it.each(makers)("reads a log of %s in pieces as it reads it at once", (_, make) => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), fc.array(fc.nat(40), { maxLength: 6 }), (lines, cuts) => {
      const bytes = lines.map((one) => Buffer.from(typeof one === "string" ? one : JSON.stringify(one)));
      const whole = make(null);
      for (const one of bytes) whole.read(one);
      const pieces: HistoryEntry[] = [];
      let state: unknown = null;
      let start = 0;
      for (const end of [...cuts, bytes.length].toSorted((a, b) => a - b)) {
        const reader = make(JSON.parse(JSON.stringify(state)));
        for (const one of bytes.slice(start, end)) reader.read(one);
        pieces.push(...reader.take());
        ({ state } = reader);
        start = Math.max(start, Math.min(end, bytes.length));
      }
      expect(pieces).toEqual(whole.take());
    }),
  );
});
