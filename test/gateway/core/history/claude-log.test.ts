import { expect, it } from "vitest";
import { ClaudeLog } from "../../../../gateway/core/history/claude-log.ts";
import { HistoryFold } from "../../../../gateway/core/history/fold-history.ts";
import type { HistoryEntry } from "../../../../gateway/core/history/history-entry.ts";
import { AT, PROJECT, SESSION, claudeLine, linesOf, type ClaudeLine } from "../../../support/agent-logs.ts";

const OURS = "req_0f6f5c1e-1111-4111-8111-000000000001";
const place = { folders: [PROJECT.replaceAll("/", "-")], stem: SESSION };
const reader = (folders: readonly string[] = place.folders) =>
  new ClaudeLog({ place: { ...place, folders }, state: null, receipts: { hasId: (id) => id === OURS } });

function entriesOf(lines: readonly (object | string)[], log = reader()) {
  const kinds = linesOf(lines)
    .trimEnd()
    .split("\n")
    .map((line) => log.read(Buffer.from(line)));
  return { kinds, entries: log.take() };
}

/** A response of so many tokens. */
const message = (tokens: number, more: Partial<ClaudeLine> = {}) =>
  claudeLine({ usage: { output_tokens: tokens }, ...more });

const counted = (lines: readonly (object | string)[]): HistoryEntry[] => {
  const fold = new HistoryFold();
  fold.add(entriesOf(lines).entries);
  return [...fold.entries()];
};

it.each<[string, NonNullable<ClaudeLine["usage"]>, readonly number[]]>([
  [
    "the classes of its tokens",
    { input_tokens: 3, cache_read_input_tokens: 50, output_tokens: 7 },
    [3, 50, 0, 0, 7, 0],
  ],
  ["writes for five minutes", { cache_creation_input_tokens: 40, output_tokens: 1 }, [0, 0, 40, 0, 1, 0]],
  [
    "writes for an hour apart",
    {
      cache_creation_input_tokens: 40,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 30 },
      output_tokens: 1,
    },
    [0, 0, 10, 30, 1, 0],
  ],
  [
    "writes that are not split, whatever an empty split says",
    {
      cache_creation_input_tokens: 40,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: 1,
    },
    [0, 0, 40, 0, 1, 0],
  ],
  ["whole counts alone", { input_tokens: -4, cache_read_input_tokens: 1.5, output_tokens: 9 }, [0, 0, 0, 0, 9, 0]],
])("a response has %s", (_, usage, tokens) => {
  expect(entriesOf([claudeLine({ usage })]).entries.map((entry) => entry.tokens)).toEqual([tokens]);
});

it("says when, where, by whom and how it was served", () => {
  const usage = { output_tokens: 5, speed: "fast", service_tier: null, inference_geo: "us" };
  const { entries } = entriesOf([claudeLine({ model: "claude-opus-4-8", usage })]);
  expect(entries).toEqual([
    expect.objectContaining({
      at: Date.parse(AT),
      model: "claude-opus-4-8",
      session: SESSION,
      project: PROJECT,
      served: "speed=fast inference_geo=us",
      sidechain: false,
      postern: false,
    }),
  ]);
});

it("keeps the project's folder when the agent has gone into another", () => {
  const usage = { output_tokens: 1 };
  const { entries } = entriesOf([
    claudeLine({ usage, cwd: "/elsewhere" }),
    claudeLine({ usage, id: "msg_2" }),
    claudeLine({ usage, id: "msg_3", cwd: `${PROJECT}/lib` }),
  ]);
  expect(entries.map(({ project }) => project)).toEqual(["-home-u-api", PROJECT, PROJECT]);
});

it.each<[string, readonly (object | string)[], readonly number[]]>([
  ["grows while it comes: the largest line is the response", [1, 30, 20].map((tokens) => message(tokens)), [30]],
  ["is repeated by a session that resumes another", [message(9), message(9, { session: "other" })], [9]],
  ["is another one with another request id", [message(9), message(9, { request: "req_2" })], [9, 9]],
  [
    "is the session's where a side conversation replays it",
    [
      claudeLine({ usage: { output_tokens: 9, cache_read_input_tokens: 5000 }, request: "req_2", sidechain: true }),
      message(9),
      message(4, { id: "msg_own", request: "req_3", sidechain: true }),
    ],
    [4, 9],
  ],
  [
    "is known in each session that has a copy, when a side conversation of one replays it",
    [
      message(9, { session: "zz" }),
      message(9, { session: "aa" }),
      message(9, { session: "zz", request: "req_2", sidechain: true }),
    ],
    [9],
  ],
  [
    "without a request id is one in its session",
    [
      message(3, { request: null }),
      message(9, { request: null, at: "2026-10-12T10:00:05.000Z" }),
      message(9, { request: null, session: "other" }),
    ],
    [9, 9],
  ],
  [
    "with the id of a gateway that uses it again is one at its moment",
    [
      message(3, { id: "chatcmpl", request: null }),
      message(3, { id: "chatcmpl", request: null }),
      message(4, { id: "chatcmpl", request: null, at: "2026-10-12T10:00:05.000Z" }),
    ],
    [3, 4],
  ],
  [
    "without any id is one for each line that differs",
    [message(3, { id: null }), message(3, { id: null }), message(3, { id: null, at: "2026-10-12T10:00:05.000Z" })],
    [3, 3],
  ],
  [
    "has what an advising model used beside it",
    [
      claudeLine({
        usage: {
          output_tokens: 8,
          iterations: [
            { type: "message", output_tokens: 8 },
            { type: "advisor_message", model: "claude-opus-4-8", input_tokens: 100, output_tokens: 20 },
          ],
        },
      }),
    ],
    [8, 20],
  ],
  [
    "of a running sub-agent is read where it is quoted",
    [{ type: "progress", sessionId: SESSION, data: { message: message(6) } }],
    [6],
  ],
])("a response %s", (_, lines, outputs) => {
  const found = counted(lines).map(({ tokens }) => tokens[4]);
  const ascending = (a: number, b: number): number => a - b;
  expect(found.toSorted(ascending)).toEqual(outputs.toSorted(ascending));
});

it("is Postern's by the id of a receipt alone", () => {
  const usage = { output_tokens: 1 };
  const other = OURS.replace("0001", "0002");
  const { entries } = entriesOf([
    claudeLine({ usage, request: OURS }),
    claudeLine({ usage, id: "msg_2", request: other }),
    claudeLine({ usage, id: "msg_3", request: "req_011CAbc" }),
  ]);
  expect(entries.map(({ postern }) => postern)).toEqual([true, false, false]);
});

it("passes over what is no response, and says what is broken", () => {
  const { kinds, entries } = entriesOf([
    { type: "user", message: { role: "user", content: 'the words "usage":{ in a prompt' } },
    { type: "summary", summary: "usage" },
    '{"type":"assistant","message":{"usage":{"input_tokens":5,',
    claudeLine({ model: "<synthetic>", usage: { output_tokens: 4 } }),
    claudeLine({ usage: {} }),
    claudeLine({ at: "yesterday", usage: { output_tokens: 4 } }),
  ]);
  expect({ kinds, entries }).toEqual({ kinds: ["other", "other", "broken", "other", "read", "other"], entries: [] });
});

it("takes the session from the folder of a sub-agent's log that does not name it", () => {
  const { sessionId: _, ...line } = message(1) as Record<string, unknown>;
  const { entries } = entriesOf([line], reader(["-home-u-api", SESSION, "subagents"]));
  expect(entries[0]?.session).toBe(SESSION);
});
