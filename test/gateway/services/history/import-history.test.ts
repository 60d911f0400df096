import { appendFile, readFile, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ControlOutput } from "../../../../gateway/contract/control.ts";
import type { HistoryImport, HistoryView } from "../../../../gateway/contract/history.ts";
import type { UsageCells, UsageSeries } from "../../../../gateway/contract/usage.ts";
import {
  AT,
  PROJECT,
  SESSION,
  claudeLine,
  claudePath,
  codexCount,
  codexMeta,
  codexPath,
  codexTurn,
  linesOf,
  writeLogs,
} from "../../../support/agent-logs.ts";
import { errorOf, startGateway, temporaryFolder, until, type TestGateway } from "../../../support/running-gateway.ts";
import { WireProvider, reply } from "../../../support/wire-provider.ts";
import { claudeMessage } from "../../../support/acts.ts";

let home = "";
let postern: TestGateway;
const start = (more: Readonly<Record<string, string>> = {}, dataDir?: string): Promise<TestGateway> =>
  startGateway({ env: { HOME: home, ...more }, ...(dataDir === undefined ? {} : { dataDir }) });

beforeEach(async () => {
  home = await temporaryFolder();
  postern = await start();
});
afterEach(async () => {
  await postern.close();
  await rm(home, { recursive: true, force: true });
});

const preview = (body: object = {}): Promise<HistoryImport> => postern.ask("POST", "/history/preview", body);
const bring = (body: object = {}): Promise<HistoryImport> => postern.ask("POST", "/history/import", body);
const view = (): Promise<HistoryView> => postern.ask("GET", "/history");
type Usage = ControlOutput<"usage">;
const OF_LOGS = "source=logs&since=2026-10-01&until=2026-12-31";
const usage = (query = ""): Promise<Usage> => postern.ask("GET", `/usage?${OF_LOGS}&${query}`);
const series = (query = ""): Promise<UsageSeries> => postern.ask("GET", `/usage/series?${OF_LOGS}&${query}`);
const groups = ({ data }: Usage, figure: keyof Usage["total"] = "requests") =>
  Object.fromEntries(data.map(({ group, totals }) => [group, totals[figure]]));

/** $3 and $15 a million, cached $0.30, written $3.75 and $6. */
const SONNET = {
  input_tokens: 1_000,
  cache_read_input_tokens: 10_000,
  cache_creation_input_tokens: 2_000,
  output_tokens: 500,
};
const SONNET_NANO = 3_000_000 + 3_000_000 + 7_500_000 + 7_500_000;
/** gpt-5.4: $2.50 and $15, cached $0.25. */
const CODEX_NANO = 400 * 2_500 + 600 * 250 + 100 * 15_000;

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const twoAgents = {
  [claudePath(SESSION)]: [
    claudeLine({ usage: { ...SONNET, output_tokens: 1 } }),
    claudeLine({ usage: SONNET }),
    '{"type":"assistant","message":{"usage":{"input',
  ],
  [claudePath(`${SESSION}/subagents/agent-1`)]: [
    claudeLine({ id: "msg_sub", request: "req_sub", sidechain: true, model: "claude-haiku-4-5", usage: SONNET }),
  ],
  [codexPath("rollout-a")]: [
    codexMeta("codex-session"),
    codexTurn("gpt-5.4"),
    codexCount("2026-10-13T23:30:00.000Z", [1_000, 600, 100, 40], [1_000, 600, 100, 40]),
  ],
};

it("shows what there is before anything is kept, imports it once, and takes up what logs have grown by", async () => {
  await writeLogs(home, twoAgents);
  const shown = await preview();
  expect(shown).toMatchObject({
    sources: [
      {
        agent: "claude-code",
        folder: join(home, ".claude"),
        logs: 2,
        new_logs: 2,
        sessions: 1,
        requests: 2,
        from: Date.parse(AT),
      },
      { agent: "codex", folder: join(home, ".codex"), logs: 1, sessions: 1, requests: 1, tokens: 1_100 },
    ],
    new_totals: { requests: 3, unpriced_requests: 0 },
    through_postern: { requests: 0 },
    receipts_complete: true,
    lines: { read: 6, other: 0, broken: 1, too_long: 0 },
    failed: [],
  });
  expect(await view()).toMatchObject({ agents: [], bytes: 0, folders: [{ agent: "claude-code" }, { agent: "codex" }] });
  expect((await view()).models).toEqual(expect.arrayContaining(["gpt-5.4", "claude-opus-5-5"]));
  expect((await usage()).total.requests).toBe(0);
  expect(await bring()).toEqual(shown);
  expect((await bring()).new_totals).toMatchObject({ requests: 0, nano: 0 });
  const { total } = await usage();
  expect(total).toMatchObject({ requests: 3, input_tokens: 27_000, cached_input_tokens: 20_600, output_tokens: 1_100 });
  await appendFile(
    join(home, claudePath(SESSION)),
    linesOf([claudeLine({ id: "msg_2", request: "req_2", usage: SONNET })]),
  );
  expect((await bring()).new_totals).toMatchObject({ requests: 1, nano: SONNET_NANO });
  expect((await view()).agents).toMatchObject([
    { agent: "claude-code", sessions: 1, requests: 3 },
    { agent: "codex", sessions: 1, requests: 1 },
  ]);
});

it("sums by model, day of a zone, project and app, at the catalog's prices", async () => {
  await writeLogs(home, twoAgents);
  await bring();
  expect(groups(await usage(), "nano")).toEqual({
    "claude-sonnet-4-5": SONNET_NANO,
    "claude-haiku-4-5": SONNET_NANO / 3,
    "gpt-5.4": CODEX_NANO,
  });
  expect(groups(await usage("by=day"))).toEqual({ "2026-10-12": 2, "2026-10-13": 1 });
  expect(groups(await usage("by=project"))).toEqual({ [PROJECT.split("/").at(-1) ?? ""]: 3 });
  expect(groups(await usage("by=client"))).toEqual({ "Claude Code": 2, Codex: 1 });
  const inKolkata = await series("zone=Asia/Kolkata&client=codex");
  const used = inKolkata.buckets.filter(({ totals }) => totals.requests > 0);
  expect(used.map(({ at }) => new Date(at).toISOString())).toEqual(["2026-10-13T19:00:00.000Z"]);
  expect(inKolkata.total).toMatchObject({ requests: 1, reasoning_tokens: 40 });
  expect((await series(`session=${SESSION}&groups=1`)).series.map(({ group }) => group)).toEqual([
    "claude-sonnet-4-5",
    null,
  ]);
  expect((await series("model=claude-sonnet-4-5")).total.requests).toBe(1);
});

it("is whole in 90 days and in all, which begin with the first usage", async () => {
  await writeLogs(home, {
    [claudePath(SESSION)]: [100, 80, 0].map((days) =>
      claudeLine({ id: `msg_${days}`, request: `req_${days}`, at: daysAgo(days), usage: SONNET }),
    ),
  });
  await bring();
  const ask = (query: string) => postern.ask<UsageSeries>("GET", `/usage/series?source=both&${query}`);
  for (const zone of ["UTC", "Asia/Tokyo", "America/Los_Angeles"]) {
    expect((await ask(`range=90d&zone=${zone}`)).total.requests).toBe(2);
    const all = await ask(`range=all&zone=${zone}`);
    expect(all.total.requests).toBe(3);
    const used = all.buckets.findIndex(({ totals }) => totals.requests > 0);
    expect(used).toBeLessThanOrEqual(2);
  }
  expect((await ask("range=all&model=gpt-5.4")).total.requests).toBe(0);
});

it("is in the sums of both sources, and in none of Postern's own", async () => {
  await writeLogs(home, twoAgents);
  await bring();
  const days = "since=2026-10-01&until=2026-12-31";
  for (const [source, requests] of [
    ["postern", 0],
    ["both", 3],
  ] as const) {
    expect((await postern.ask<Usage>("GET", `/usage?${days}&source=${source}`)).total.requests).toBe(requests);
    const cells = await postern.ask<UsageCells>("GET", `/usage/cells?${days}&source=${source}`);
    expect(cells.data.map((cell) => cell.source)).toEqual(Array.from({ length: requests }, () => "logs"));
  }
  const state = await postern.ask<ControlOutput<"state">>("GET", "/state");
  expect([state.today.requests, state.month.requests]).toEqual([0, 0]);
});

it("keeps what an agent has deleted since, over a restart, and is removed as a whole", async () => {
  await writeLogs(home, twoAgents);
  await bring();
  const before = await usage();
  await rm(join(home, ".claude"), { recursive: true });
  await rename(join(home, ".codex/sessions"), join(home, ".codex/archived_sessions"));
  expect((await bring()).new_totals.requests).toBe(0);
  const { dataDir } = postern;
  await postern.stop();
  postern = await start({}, dataDir);
  expect(await usage()).toEqual(before);
  expect(await postern.ask("DELETE", "/history")).toMatchObject({ agents: [], bytes: 0 });
  expect((await usage()).total.requests).toBe(0);
  expect((await bring()).new_totals.requests).toBe(1);
});

it("reads another log in the same place from its beginning, and counts nothing of it twice", async () => {
  const path = claudePath(SESSION);
  const lines = ["1", "2", "3"].map((id) => claudeLine({ id: `msg_${id}`, request: `req_${id}`, usage: SONNET }));
  await writeLogs(home, { [path]: lines.slice(0, 2) });
  await bring();
  await writeLogs(home, { [path]: [{ type: "summary", summary: "x" }, ...lines, { type: "summary", summary: "y" }] });
  expect((await bring()).new_totals.requests).toBe(1);
  await writeLogs(home, { [path]: lines.slice(2) });
  expect((await bring()).new_totals.requests).toBe(0);
  expect((await usage()).total.requests).toBe(3);
});

it("never writes to the agents' folders", async () => {
  await writeLogs(home, twoAgents);
  const look = async () => {
    const names = await readdir(home, { recursive: true });
    return Promise.all(names.toSorted().map(async (name) => [name, (await stat(join(home, name))).mtimeMs]));
  };
  const before = await look();
  await preview();
  await bring();
  expect(await look()).toEqual(before);
});

it("looks in a folder that is named, through a link to it, and counts no folder twice", async () => {
  const other = await temporaryFolder();
  await writeLogs(other, twoAgents);
  await symlink(join(other, ".claude"), join(other, "linked"));
  const named = [join(other, ".claude"), join(other, "linked"), join(other, ".claude/projects")];
  const { sources, new_totals } = await bring({ folders: named });
  expect([sources.map(({ folder }) => folder), new_totals.requests]).toEqual([[join(other, ".claude")], 2]);
  const refused = await postern.control("POST", "/history/import", { folders: [home] });
  expect([refused.status, (await errorOf(refused)).message]).toEqual([
    400,
    expect.stringContaining("an agent's own folder"),
  ]);
  await rm(other, { recursive: true });
});

it("does not count again what forks of Codex' sessions repeat, whatever their logs are called", async () => {
  const at = (seconds: number): string => new Date(Date.parse(AT) + seconds * 1_000).toISOString();
  const used = (seconds: number, input: number) => codexCount(at(seconds), [input, 0, 10, 0], null);
  const fork = (id: string, seconds: number, ...own: readonly object[]) => [
    codexMeta(id, { forked_from_id: "parent" }, at(seconds)),
    codexTurn("gpt-5.4"),
    used(seconds, 100),
    used(seconds + 3, 200),
    ...own,
  ];
  await writeLogs(home, {
    [codexPath("rollout-z-parent")]: [
      codexMeta("parent"),
      codexTurn("gpt-5.4"),
      used(1, 100),
      used(20, 200),
      used(900, 400),
    ],
    [codexPath("a-fork")]: fork("a", 100, used(200, 700)),
    [codexPath("b-fork")]: fork("b", 200),
  });
  expect((await bring()).new_totals).toMatchObject({ requests: 4, input_tokens: 1_400 });
  await appendFile(join(home, codexPath("b-fork")), linesOf([used(300, 800)]));
  await writeLogs(home, {
    [codexPath("unnamed")]: [codexMeta("root"), codexTurn("gpt-5.4"), used(2, 11), used(4, 12)],
    [codexPath("c-fork")]: [
      codexMeta("c", { forked_from_id: "root" }, at(50)),
      codexTurn("gpt-5.4"),
      used(51, 11),
      used(55, 12),
      used(90, 13),
    ],
  });
  expect((await bring()).new_totals).toMatchObject({ requests: 4, input_tokens: 836 });
});

it("says which logs could not be read, and goes on with the others", async () => {
  await writeLogs(home, twoAgents);
  const path = join(home, claudePath("unreadable"));
  await writeFile(path, "{}\n", { mode: 0 });
  const { failed, new_totals } = await bring();
  const refused = process.getuid?.() !== 0;
  expect(failed).toEqual(refused ? [{ file: path, message: expect.stringContaining("may not be read") }] : []);
  expect(new_totals.requests).toBe(3);
});

it("is in backups, and damage in it is reported and mended from the logs", async () => {
  await writeLogs(home, twoAgents);
  await bring();
  const { path } = await postern.ask<{ path: string }>("POST", "/backup");
  const file = join("history", "imported.ndjson");
  const bytes = await readFile(join(postern.dataDir, file));
  expect(await readFile(join(path, file))).toEqual(bytes);
  bytes[20] = 0x21;
  await writeFile(join(postern.dataDir, file), bytes);
  const { dataDir } = postern;
  await postern.stop();
  postern = await start({}, dataDir);
  expect((await view()).damaged).toBe(1);
  expect((await bring()).new_totals.requests).toBe(1);
  expect((await usage()).total.requests).toBe(3);
});

it("says how far it is while it reads", async () => {
  const many = Array.from({ length: 4_000 }, (_, id) =>
    claudeLine({ id: `msg_${id}`, request: `r${id}`, usage: SONNET }),
  );
  await writeLogs(home, { [claudePath("a")]: many, [claudePath("b")]: many });
  let seen: HistoryView["running"] = null;
  const done = bring();
  await until(async () => ((seen = (await view()).running) ?? { logs: 0 }).logs > 0);
  expect(seen).toMatchObject({ what: "import", logs: 2 });
  expect((await done).new_totals.requests).toBe(4_000);
  expect((await view()).running).toBeNull();
});

describe("what went through Postern", () => {
  const anthropic = new WireProvider();
  const ANSWER = { input_tokens: 1_000, output_tokens: 500 };
  beforeEach(async () => {
    await anthropic.listen();
    anthropic.on(
      "POST /v1/messages",
      reply(200, claudeMessage("Hi", ANSWER, { id: "msg_01Through", model: "claude-sonnet-4-5" })),
    );
    await postern.close();
    postern = await start({ POSTERN_ANTHROPIC_BASE_URL: anthropic.origin, POSTERN_ANTHROPIC_API_KEY: "k" });
  });
  afterEach(() => anthropic.close());

  it("is known by the id that Claude Code was given, and is in no sum twice", async () => {
    const body = { model: "claude-sonnet-4-5", max_tokens: 10, messages: [{ role: "user", content: "Hi" }] };
    const response = await postern.post("/messages", body);
    expect(response.status).toBe(200);
    const request = response.headers.get("request-id") ?? "";
    await response.arrayBuffer();
    await until(async () => (await postern.receipts()).length === 1);
    const at = new Date().toISOString();
    await writeLogs(home, {
      [claudePath(SESSION)]: [
        claudeLine({ id: "msg_01Through", request, at, model: "claude-sonnet-4-5", usage: ANSWER }),
        claudeLine({
          id: "msg_other",
          request: `${request.slice(0, -1)}${request.endsWith("0") ? 1 : 0}`,
          at,
          usage: ANSWER,
        }),
      ],
    });
    const { new_totals, through_postern } = await bring();
    expect([new_totals.requests, through_postern.requests, through_postern.nano]).toEqual([1, 1, 10_500_000]);
    const counts = async (source: string): Promise<number> =>
      (await postern.ask<Usage>("GET", `/usage?source=${source}`)).total.requests;
    expect([await counts("logs"), await counts("postern"), await counts("both")]).toEqual([1, 1, 2]);
  });
});

it("brings the usage of agents with other logs, from databases too, once", async () => {
  const at = daysAgo(3);
  const message = (id: string, output: number): string =>
    JSON.stringify({
      role: "assistant",
      modelID: "gpt-5.4",
      path: { cwd: PROJECT },
      time: { created: Date.parse(at) },
      tokens: { input: 100, output, reasoning: 0, cache: { read: 0, write: 0 } },
      id,
    });
  const gemini = { id: "g1", timestamp: at, type: "gemini", model: "gpt-5.4", tokens: { input: 50, output: 5 } };
  await writeLogs(home, {
    ".gemini/tmp/api/chats/session-1.json": [JSON.stringify({ sessionId: "s", messages: [gemini] }, null, 2)],
    ".gemini/tmp/api/logs.json": [JSON.stringify(gemini)],
    ".local/share/opencode/storage/message/ses_0/msg_0.json": [message("msg_0", 7)],
  });
  const folder = join(home, ".local/share/opencode");
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(join(folder, "opencode.db"));
  database.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT)",
  );
  const insert = database.prepare("INSERT INTO message VALUES (?, 'ses_1', 1, ?)");
  insert.run("msg_1", message("msg_1", 9));
  insert.run("msg_2", "{broken");
  insert.run("msg_0", message("msg_0", 7));
  await writeFile(join(home, ".local/share/goose.txt"), "no folder of Goose");
  const before = (await readdir(folder)).toSorted();
  expect((await preview()).sources.map(({ agent, requests }) => [agent, requests])).toEqual([
    ["gemini-cli", 1],
    ["opencode", 2],
  ]);
  expect((await bring()).new_totals).toMatchObject({ requests: 3, input_tokens: 250, output_tokens: 21 });
  insert.run("msg_3", message("msg_3", 1));
  expect((await bring()).new_totals).toMatchObject({ requests: 1, output_tokens: 1 });
  expect((await bring()).new_totals.requests).toBe(0);
  expect((await readdir(folder)).toSorted()).toEqual(before);
  database.close();
  expect(groups(await usage("by=client"))).toEqual({ "Gemini CLI": 1, opencode: 3 });
});

it("names a database that cannot be read, and brings the rest", async () => {
  await writeLogs(home, { ".local/share/goose/sessions/sessions.db": ["no database"], ...twoAgents });
  const { failed, new_totals } = await bring();
  expect(failed).toEqual([{ file: expect.stringContaining("sessions.db"), message: "it cannot be read" }]);
  expect(new_totals.requests).toBeGreaterThan(0);
});
