import { describe, expect, it } from "vitest";
import { CodexLog, codexHead, type CodexHistory } from "../../../../gateway/core/history/codex-log.ts";
import { codexCount, codexMeta, codexTurn, linesOf, PROJECT, type CodexFigures } from "../../../support/agent-logs.ts";

const place = { folders: [], stem: "rollout-x" };
const at = (seconds: number, day = 12): string =>
  new Date(Date.UTC(2026, 9, day, 10, 0) + seconds * 1_000).toISOString();

function read(lines: readonly (object | string)[], parent: readonly CodexHistory[] = [], history?: CodexHistory[]) {
  const log = new CodexLog(
    { place, state: null, parent, receipts: { hasUsed: ({ tokens }) => tokens[0] === 7 } },
    history ?? null,
  );
  const kinds = linesOf(lines)
    .trimEnd()
    .split("\n")
    .map((line) => log.read(Buffer.from(line)));
  return { kinds, entries: log.take(), log };
}

const tokens = (lines: readonly (object | string)[], parent: readonly CodexHistory[] = []) =>
  read(lines, parent).entries.map((entry) => entry.tokens);

const ONE: CodexFigures = [1_000, 600, 100, 40];
const TWO: CodexFigures = [3_000, 2_400, 300, 120];
const REST: CodexFigures = [2_000, 1_800, 200, 80];

it.each<[string, readonly object[], readonly (readonly number[])[]]>([
  ["has its parts apart", [codexCount(at(1), ONE, ONE)], [[400, 600, 0, 0, 60, 40]]],
  [
    "is told again when limits change: once is enough",
    [codexCount(at(1), ONE, ONE), codexCount(at(9), ONE, ONE), codexCount(at(20), REST, TWO)],
    [
      [400, 600, 0, 0, 60, 40],
      [200, 1_800, 0, 0, 120, 80],
    ],
  ],
  [
    "is what the total has grown by, where only that is told",
    [codexCount(at(1), null, ONE), codexCount(at(2), null, TWO)],
    [
      [400, 600, 0, 0, 60, 40],
      [200, 1_800, 0, 0, 120, 80],
    ],
  ],
  [
    "is told alone in some logs",
    [codexCount(at(1), ONE, null), codexCount(at(2), ONE, null)],
    [
      [400, 600, 0, 0, 60, 40],
      [400, 600, 0, 0, 60, 40],
    ],
  ],
  [
    "has parts that are never more than the whole",
    [codexCount(at(1), [100, 900, 10, 50], null)],
    [[0, 100, 0, 0, 0, 10]],
  ],
  ["of nothing is none", [codexCount(at(1), [0, 0, 0, 0], null), codexCount(at(2), null, null)], []],
])("a response %s", (_, lines, expected) => {
  expect(tokens([codexTurn("gpt-5.5"), ...lines])).toEqual(expected);
});

it("says whose session it is and which model it was, turn by turn", () => {
  const { entries } = read([
    codexMeta("session-a", { model_provider: "postern" }),
    codexTurn("gpt-5.5"),
    codexCount(at(1), ONE, ONE),
    {
      timestamp: at(2),
      type: "event_msg",
      payload: { type: "thread_settings_applied", thread_settings: { service_tier: "priority" } },
    },
    codexTurn("gpt-5.4"),
    codexCount(at(3), REST, TWO),
    { timestamp: at(4), type: "event_msg", payload: { type: "thread_settings_applied", thread_settings: {} } },
    codexCount(at(5), null, [4_000, 2_400, 400, 120]),
  ]);
  expect(
    entries.map(({ session, project, model, served, postern }) => [session, project, model, served, postern]),
  ).toEqual([
    ["session-a", PROJECT, "gpt-5.5", "", true],
    ["session-a", PROJECT, "gpt-5.4", "service_tier=priority", true],
    ["session-a", PROJECT, "gpt-5.4", "service_tier=priority", true],
  ]);
});

it("is Postern's where a receipt has the same tokens", () => {
  const lines = [codexTurn("gpt-5.5"), codexCount(at(1), ONE, null), codexCount(at(2), [7, 0, 3, 0], null)];
  expect(read(lines).entries.map(({ postern }) => postern)).toEqual([false, true]);
});

it("takes gpt-5 for sessions of the time before models were noted, and the file's name for a session without one", () => {
  const [entry] = read([codexCount(at(1), ONE, ONE)]).entries;
  expect([entry?.model, entry?.session]).toEqual(["gpt-5", "rollout-x"]);
});

it("passes over what is invalid, and says what is broken", () => {
  const { kinds } = read([
    { timestamp: at(1), type: "response_item", payload: { type: "message", text: 'says "token_count"' } },
    '{"type":"event_msg","payload":{"type":"token_count","info":{',
    { type: "event_msg", payload: { type: "token_count", info: null } },
    { timestamp: at(1), type: "event_msg", payload: { type: "token_count", info: null } },
  ]);
  expect(kinds).toEqual(["other", "broken", "other", "other"]);
});

describe("the log of a fork", () => {
  const history: CodexHistory[] = [];
  read(
    [codexMeta("parent"), codexTurn("gpt-5.5"), codexCount(at(1), ONE, ONE), codexCount(at(9), REST, TWO)],
    [],
    history,
  );
  const OWN: CodexFigures = [5_000, 4_000, 50, 10];
  const own = [1_000, 4_000, 0, 0, 40, 10];
  const fork = (id: string, ...lines: readonly object[]) => [
    codexMeta(id, { forked_from_id: "parent" }, at(3_600)),
    codexMeta("parent", {}, at(3_600)),
    codexTurn("gpt-5.5", at(3_600)),
    ...lines,
  ];
  const copies = [codexCount(at(3_600), ONE, ONE), codexCount(at(3_603), REST, TWO)];

  it("does not count what its parent has used", () => {
    expect(tokens(fork("child", ...copies, codexCount(at(3_660), OWN, [8_000, 6_400, 350, 130])), history)).toEqual([
      own,
    ]);
  });

  it("has the same for a sub-agent, however its parent is named", () => {
    const spawned = codexMeta(
      "sub",
      { source: { subagent: { thread_spawn: { parent_thread_id: "parent" } } } },
      at(3_600),
    );
    const { entries, log } = read(
      [spawned, codexTurn("gpt-5.5"), copies[0] as object, codexCount(at(3_660), OWN, null)],
      history,
    );
    expect([entries.map((entry) => [entry.tokens, entry.sidechain]), log.parent]).toEqual([[[own, true]], null]);
  });

  it("counts what only looks like something that its parent used later", () => {
    const late = history.map((one) => ({ ...one, at: Date.parse(at(4_000)) }));
    expect(tokens(fork("child", codexCount(at(3_660), ONE, ONE)), late)).toEqual([[400, 600, 0, 0, 60, 40]]);
  });

  it("whose parent is gone begins with what comes at once", () => {
    const burst = [codexCount(at(3_600), ONE, ONE), codexCount(at(3_600.4), REST, TWO)];
    expect(tokens(fork("child", ...burst, codexCount(at(3_660), OWN, null)))).toEqual([own]);
    expect(tokens(fork("child", codexCount(at(3_610), ONE, ONE), codexCount(at(3_660), OWN, null)))).toHaveLength(2);
    expect(tokens(fork("child", codexCount(at(3_610), ONE, ONE)))).toHaveLength(1);
  });

  it("that names itself as its parent counts all of it", () => {
    expect(tokens([codexMeta("a", { forked_from_id: "a" }), codexTurn("gpt-5.5"), ...copies], [])).toHaveLength(2);
  });

  it("says in its first line who it is", () => {
    const head = (line: object) => codexHead(Buffer.from(JSON.stringify(line)));
    expect(head(codexMeta("child", { forked_from_id: "parent" }))).toEqual({ session: "child", parent: "parent" });
    expect(head(codexMeta("root"))).toEqual({ session: "root", parent: null });
    expect(head(codexTurn("gpt-5.5"))).toBeNull();
  });
});
