import { createHash } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { cacheSavings } from "../../../gateway/contract/cache-savings.ts";
import type { UsageSeries } from "../../../gateway/contract/usage.ts";
import { errorOf } from "../../support/running-gateway.ts";
import { reply, type WireAct } from "../../support/wire-provider.ts";
import { useGateway, useWire } from "../../support/use-gateway.ts";
import { claudeMessage } from "../../support/acts.ts";

/** Prompt caching end to end, against a provider that keeps what is marked as Anthropic does. */

type Json = Readonly<Record<string, unknown>>;
const SYSTEM = "You answer questions about foxes. ".repeat(400);
const LIMITED = "sk-test-limited-key-00002";
const MODEL = "claude-sonnet-5";

interface Stored {
  readonly at: string;
  readonly tokens: number;
}

/** Digests of what it has kept. */
const stored = new Set<string>();
/** How many tokens each request read and wrote. */
const served: { readonly read: number; readonly written: number; readonly marks: number }[] = [];

/** Every block of a prompt in its order, a text being a block, and whether it is marked. */
function blocksOf({
  tools = [],
  system = [],
  messages = [],
}: Json): readonly (readonly [block: string, marked: boolean])[] {
  const split = (content: unknown, role: string) =>
    (typeof content === "string" ? [{ type: "text", text: content }] : (content as readonly Json[])).map(
      ({ cache_control, ...rest }) =>
        [`${role}${JSON.stringify(rest, Object.keys(rest).toSorted())}`, cache_control !== undefined] as const,
    );
  const turns = (messages as readonly Json[]).flatMap(({ role, content }) => split(content, String(role)));
  return [...split(tools, "tool"), ...split(system, "system"), ...turns];
}

function prefixesOf(body: Json): readonly Stored[] {
  const hash = createHash("sha256");
  let tokens = 0;
  return blocksOf(body).flatMap(([block, isMarked]) => {
    hash.update(block);
    tokens += Math.ceil(block.length / 4);
    return isMarked ? [{ at: hash.copy().digest("hex"), tokens }] : [];
  });
}

/** Reads the longest marked prefix that was written before, and writes what is marked behind it. */
const caching: WireAct = (seen, outgoing) => {
  const body = seen.json as Json;
  const prefixes = prefixesOf(body);
  const all = blocksOf(body).reduce((sum, [block]) => sum + Math.ceil(block.length / 4), 0);
  const read = prefixes.findLast(({ at }) => stored.has(at))?.tokens ?? 0;
  const end = prefixes.at(-1)?.tokens ?? 0;
  for (const { at } of prefixes) stored.add(at);
  served.push({ read, written: end - read, marks: prefixes.length });
  const usage = {
    // What begins the answer is behind every mark.
    input_tokens: all - end + 3,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: end - read,
    output_tokens: 5,
  };
  return reply(200, claudeMessage(`Answer ${served.length}.`, usage, { model: MODEL }))(seen, outgoing);
};

const provider = useWire();
let connection: ConnectionView;
const postern = useGateway(() => ({ keys: [{ key: LIMITED, name: "limited", limit_usd: 0.05 }] }));
beforeAll(async () => {
  connection = await postern.ask<ConnectionView>("POST", "/connections", {
    provider: "anthropic",
    name: "Claude",
    base_url: provider.origin,
    keys: ["sk-ant-one"],
  });
});
beforeEach(() => {
  provider.reset();
  provider.on("POST /v1/messages", caching);
  stored.clear();
  served.length = 0;
});

const setCaching = (prompt_caching: boolean) =>
  postern.ask<ConnectionView>("PATCH", `/connections/${connection.id}`, { prompt_caching });

/** Asks several questions of one conversation. @returns each receipt, in the order of the turns */
async function converse(ask: (turns: readonly Json[]) => Promise<Response>, questions: number) {
  const turns: Json[] = [];
  const receipts = [];
  for (let index = 1; index <= questions; index += 1) {
    turns.push({ role: "user", content: `Question ${index}: ${"fox ".repeat(200)}` });
    const response = await ask(turns);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    receipts.push(await postern.receipt());
    turns.push({ role: "assistant", content: `Answer ${served.length}.` });
  }
  return receipts;
}

const CLIENTS: readonly (readonly [string, (turns: readonly Json[]) => Promise<Response>])[] = [
  [
    "chat",
    (turns) =>
      postern.chat({ model: MODEL, max_tokens: 50, messages: [{ role: "system", content: SYSTEM }, ...turns] }),
  ],
  ["responses", (turns) => postern.post("/responses", { model: MODEL, instructions: SYSTEM, input: turns })],
  ["messages", (turns) => postern.post("/messages", { model: MODEL, max_tokens: 50, system: SYSTEM, messages: turns })],
];

describe("with prompt caching", () => {
  beforeAll(async () => {
    expect(await setCaching(true)).toMatchObject({ prompt_caching: true });
  });

  it.each(CLIENTS)("each turn of a %s client reads what the turn before wrote", async (_name, ask) => {
    const receipts = await converse(ask, 4);
    expect(served.map(({ marks }) => marks)).toEqual([2, 3, 3, 3]);
    for (const [index, { read }] of served.entries()) {
      const before = served[index - 1];
      expect(read).toBe(before === undefined ? 0 : before.read + before.written);
    }
    // The marked prefix of a turn is, but for the marks, that with which the turn before ended.
    const [third, fourth] = provider.seen.slice(-2).map(({ json }) => prefixesOf(json as Json));
    expect(fourth?.at(-2)).toEqual(third?.at(-1));
    expect(receipts.map((receipt) => Math.sign(cacheSavings(receipt) ?? 0))).toEqual([-1, 1, 1, 1]);
    for (const receipt of receipts) expect(receipt.nano).toBeGreaterThan(0);
  });

  it("what was saved is in the sums", async () => {
    const total = async () =>
      (await postern.ask<UsageSeries>("GET", "/usage/series?range=today")).total.cache_saved_nano;
    const before = await total();
    const receipts = await converse(CLIENTS[0]?.[1] ?? expect.fail(), 3);
    const saved = receipts.reduce((sum, receipt) => sum + (cacheSavings(receipt) ?? 0), 0);
    expect(saved).toBeGreaterThan(0);
    expect((await total()) - before).toBe(saved);
  });

  it("stands down for a client that marks its prompt itself", async () => {
    const system = [{ type: "text", text: SYSTEM, cache_control: { type: "ephemeral" } }];
    const body = { model: MODEL, max_tokens: 50, system, messages: [{ role: "user", content: "hi" }] };
    expect((await postern.post("/messages", body)).status).toBe(200);
    expect(provider.seen.at(-1)?.body.toString()).toBe(JSON.stringify(body));
  });

  it("a key's limit covers what is written to the cache, of calls side by side too", async () => {
    let requestCount = 0;
    const ask = async (): Promise<number> => {
      const content = `${(requestCount += 1)} ${"fox ".repeat(1_500)}`;
      const response = await postern.chat({ model: MODEL, messages: [{ role: "user", content }] }, LIMITED);
      await response.arrayBuffer();
      return response.status;
    };
    const statuses = await Promise.all(Array.from({ length: 30 }, ask));
    for (let more = 0; more < 30; more += 1) statuses.push(await ask());
    expect(served.every(({ written }) => written > 1_000)).toBe(true);
    expect(statuses.filter((status) => status === 200)).toHaveLength(served.length);
    expect(served.length).toBeGreaterThan(5);
    expect(served.length).toBeLessThan(60);
    expect(await postern.spentCents(LIMITED)).toBeLessThanOrEqual(5);
  });
});

describe("without", () => {
  beforeAll(async () => {
    expect(await setCaching(false)).toMatchObject({ prompt_caching: false });
  });

  it("no byte of a request changes", async () => {
    const body = { model: MODEL, max_tokens: 50, system: SYSTEM, messages: [{ role: "user", content: "hi" }] };
    expect((await postern.post("/messages", body)).status).toBe(200);
    expect(provider.seen.at(-1)?.body.toString()).toBe(JSON.stringify(body));
    expect(cacheSavings(await postern.receipt())).toBeNull();
  });
});

describe("the owner's choice", () => {
  it("is kept by what says nothing of it, and off until it is made", async () => {
    expect(connection.prompt_caching).toBe(false);
    await setCaching(true);
    const changed = await postern.ask<ConnectionView>("PATCH", `/connections/${connection.id}`, { name: "Claude" });
    expect(changed.prompt_caching).toBe(true);
  });

  it("can be made with the connection", async () => {
    const input = { provider: "anthropic", name: "Made", base_url: provider.origin, keys: ["k"], prompt_caching: true };
    const made = await postern.ask<ConnectionView>("POST", "/connections", input);
    expect(made.prompt_caching).toBe(true);
    await postern.ask("DELETE", `/connections/${made.id}`);
  });

  it("is refused where a provider has no such cache", async () => {
    const input = { provider: "xai", name: "Grok", base_url: provider.origin, keys: ["k"], prompt_caching: true };
    const response = await postern.control("POST", "/connections", input);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ param: "prompt_caching" });
  });

  it("is offered where a server lists models of Anthropic's", async () => {
    const listing = (id: string) => reply(200, { object: "list", data: [{ id, object: "model" }] });
    const shown = async (name: string, id: string): Promise<unknown> => {
      provider.on("GET /v1/models", listing(id));
      const input = { provider: "openai-compatible", name, base_url: `${provider.origin}/v1` };
      const { id: made } = await postern.ask<ConnectionView>("POST", "/connections", input);
      await postern.ask("POST", `/connections/${made}/test`);
      const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
      await postern.ask("DELETE", `/connections/${made}`);
      return data.find((each) => each.id === made)?.prompt_caching;
    };
    expect(await shown("Router", "anthropic/claude-sonnet-5")).toBe(false);
    expect(await shown("House", "llama3.2")).toBeNull();
  });
});
