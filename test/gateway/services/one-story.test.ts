import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BudgetView } from "../../../gateway/contract/budgets.ts";
import type { State } from "../../../gateway/contract/control.ts";
import type { KeyView } from "../../../gateway/contract/key.ts";
import type { TaskDetail } from "../../../gateway/contract/tasks.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import type { UsageCells } from "../../../gateway/contract/usage.ts";
import { LOCAL_SERVERS } from "../../../gateway/services/connections/local-servers.ts";
import { usageCsvRows } from "../../../renderer/features/usage/usage-csv.ts";
import { postern } from "../../main/launch/run.ts";
import { completionBody, respond } from "../../support/acts.ts";
import { MockProvider, modelList } from "../../support/mock-provider.ts";
import { until } from "../../support/running-gateway.ts";
import { useWire } from "../../support/use-gateway.ts";
import { VideoStage } from "../../support/video-acts.ts";
import { reply } from "../../support/wire-provider.ts";

/** One story about money: what a call cost has the same amount, and the same word, wherever it is reported. */

const wire = useWire();
const ollama = new MockProvider();
let stage: VideoStage;
beforeAll(async () => {
  await ollama.listen();
  ollama.also.set("/api/tags", respond(200, '{"models":[]}'));
  ollama.list = modelList(["llama3.2:latest"]);
  wire.on(
    "GET /router/v1/models",
    reply(200, {
      data: [{ id: "router/agent", pricing: { prompt: "0.000005", completion: "0.000025" } }, { id: "router/plain" }],
    }),
  );
  const [server] = LOCAL_SERVERS.filter((each) => each.id === "ollama");
  stage = await VideoStage.open({
    env: { POSTERN_COMPATIBLE_BASE_URL: `${wire.origin}/router/v1`, POSTERN_SANDBOX: "on" },
    localServers: server === undefined ? [] : [{ ...server, ports: [ollama.port] }],
  });
  await until(async () => {
    stage.gateway.gateway.onResume();
    return (await stage.gateway.ask<{ data: { present: boolean }[] }>("GET", "/local-servers")).data.some(
      ({ present }) => present,
    );
  });
});
afterAll(async () => {
  await stage.close();
  await ollama.close();
});

const usd = (amount: number): number => Math.round(amount * 1e9);
const USAGE = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };

interface Reported {
  /** What providers bill; null: it has no price. */
  readonly nano: number | null;
  readonly sandbox?: number;
  readonly estimated?: boolean;
}

/** Makes one call of a client with a key of its own. */
type Act = (secret: string, client: string) => Promise<void>;

const chat =
  (model: string, answers: Parameters<typeof wire.on>[1][]): Act =>
  async (secret, client) => {
    wire.on("POST /router/v1/chat/completions", ...answers);
    const body = { model, max_tokens: 200, messages: [{ role: "user", content: "Say hello to the reviewer." }] };
    await (await stage.gateway.chat(body, secret, { headers: { "user-agent": client } })).text();
  };
const answer = (usage: object | undefined) => reply(200, completionBody("Hello.", undefined, { usage }));

const film =
  (state: "succeeded" | "failed"): Act =>
  async (secret, client) => {
    stage.provider.plan = ["running"];
    const task = await stage.submit(undefined, { key: secret, headers: { "user-agent": client } });
    stage.provider.advance(stage.provider.last.id, state);
    await stage.over(task.id, secret);
    const detail = await stage.gateway.ask<TaskDetail>("GET", `/tasks/${task.id}`);
    const receipt = await stage.gateway.receipt();
    expect(detail).toMatchObject({ nano: receipt.nano, receipt: { nano: receipt.nano } });
    const { out } = await cli("tasks");
    expect(out).toContain(receipt.nano === 0 ? "$0.00" : "$0.50");
  };

const CALLS: readonly (readonly [string, Act, Reported])[] = [
  ["a call with a price", chat("router/agent", [answer(USAGE)]), { nano: usd(0.0075) }],
  ["a call without a price", chat("router/plain", [answer(USAGE)]), { nano: null }],
  ["a provider's own charge", chat("router/agent", [answer({ ...USAGE, cost: 0.25 })]), { nano: usd(0.25) }],
  ["an estimate", chat("router/agent", [answer(undefined)]), { nano: Number.NaN, estimated: true }],
  ["a refused call, whose hold is given back", chat("router/agent", [reply(400, { error: {} })]), { nano: 0 }],
  ["a free model of this machine", chat("llama3.2:latest", [answer(USAGE)]), { nano: 0 }],
  ["a call of the sandbox", chat("claude-opus-4-8", [answer(USAGE)]), { nano: 0, sandbox: Number.NaN }],
  ["a video", film("succeeded"), { nano: usd(0.5) }],
  ["a video that failed", film("failed"), { nano: 0 }],
];

const cli = async (...argv: string[]) => {
  const ended = await postern([...argv, "--data-dir", stage.gateway.dataDir]);
  expect(ended).toMatchObject({ code: 0, error: "" });
  return ended;
};
const moneyOf = (text: string, column: string, row: string): string => {
  const lines = text.split("\n");
  const head = lines.find((line) => line.includes(column)) ?? "";
  const line = lines.find((one) => one.includes(row)) ?? "";
  const end = head.indexOf(column) + column.length;
  return line.slice(0, end).trimEnd().split(/ {2,}/).at(-1) ?? "";
};

describe.each(CALLS)("%s", (_, act, reported) => {
  it("is reported alike on receipts, keys, budgets, usage, files, the command line and to tools", async () => {
    const client = `story-${CALLS.findIndex(([, one]) => one === act)}`;
    await stage.gateway.ask("POST", "/budgets", {
      scope: { kind: "client", name: client },
      reset: "daily",
      limit_usd: 9,
    });
    const { secret, id } = await stage.gateway.limitedKey(8);
    const before = await stage.gateway.ask<State>("GET", "/state");
    await act(secret, client);
    const receipt = await stage.gateway.receipt();
    expect(receipt).toMatchObject({ key: id, estimated: reported.estimated ?? false });
    const sandbox = receipt.sandbox ? (receipt.nano ?? 0) : 0;
    const real = receipt.sandbox ? 0 : (receipt.nano ?? 0);
    if (!Number.isNaN(reported.nano)) expect(receipt.sandbox ? 0 : receipt.nano).toBe(reported.nano);
    expect([sandbox > 0, Number.isNaN(reported.nano) && real === 0]).toEqual([reported.sandbox !== undefined, false]);

    const { data: keys } = await stage.gateway.ask<{ data: KeyView[] }>("GET", "/keys");
    const { data: budgets } = await stage.gateway.ask<{ data: BudgetView[] }>("GET", "/budgets");
    const usage = await stage.gateway.ask<{ data: { group: string; totals: Totals }[] }>("GET", "/usage?by=key");
    const cells = await stage.gateway.ask<UsageCells>("GET", "/usage/cells?by=key&range=30d");
    const [heads = [], ...rows] = usageCsvRows(cells, "key", (name) => name, "UTC");
    const row = rows.find((one) => one[heads.indexOf("key")] === id) ?? [];
    const after = await stage.gateway.ask<State>("GET", "/state");
    const used = usage.data.find(({ group }) => group === id)?.totals;
    const key = keys.find((one) => one.id === id);
    const tools = new Client({ name: client, version: "1" });
    const requestInit = { headers: { authorization: `Bearer ${secret}` } };
    await tools.connect(new StreamableHTTPClientTransport(new URL(`${stage.gateway.url}/mcp`), { requestInit }));
    const { structuredContent: quota } = await tools.callTool({ name: "get_quota", arguments: {} });
    await tools.close();
    expect({
      key: [(key?.spent_nano ?? 0) - (key?.sandbox_nano ?? 0), key?.sandbox_nano],
      billing: await stage.gateway.spentCents(secret),
      usage: [used?.nano, used?.sandbox_nano, used?.unpriced_requests, used?.estimated_requests],
      budget: budgets.find(({ scope }) => scope.name === client)?.spent_nano,
      month: after.month.nano - before.month.nano,
      csv: [
        row[heads.indexOf("spend_usd")],
        row[heads.indexOf("sandbox_usd")],
        row[heads.indexOf("unpriced_requests")],
      ],
      quota: usd((quota as { used_usd: number }).used_usd),
    }).toEqual({
      key: [real, sandbox],
      billing: (real + sandbox) / 1e7,
      usage: [real, sandbox, reported.nano === null ? 1 : 0, reported.estimated === true ? 1 : 0],
      budget: real,
      month: real,
      csv: [(real / 1e9).toFixed(9), (sandbox / 1e9).toFixed(9), reported.nano === null ? "1" : "0"],
      quota: real + sandbox,
    });

    const words = moneyOf((await cli("usage", "--by", "key")).out, "COST", id);
    expect([words === "unpriced", words === "$0.00"]).toEqual([reported.nano === null, reported.nano === 0]);
    const spent = moneyOf((await cli("keys", "list")).out, "SPENT", id);
    expect(spent.replace(/ \+ \$[\d.]+ sandbox$/, "")).toBe(words);
    expect(spent.endsWith("sandbox")).toBe(sandbox > 0);
  });
});
