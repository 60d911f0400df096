import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeEach, describe, expect, it } from "vitest";
import type { ControlOutput } from "../../../../gateway/contract/control.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { CHAT, KEY } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const provider = useProvider();
const postern = useGateway(() => ({ provider }));
beforeEach(() => provider.reset());

const reported = ({ session, project, agent }: Receipt): object => ({ session, project, agent });
const inShop = { ...CHAT, messages: [{ role: "system", content: "Working directory: /srv/shop" }, ...CHAT.messages] };

async function call(headers: Readonly<Record<string, string>>, body: object = CHAT): Promise<Receipt> {
  const response = await postern.chat(body, KEY, { headers });
  await response.text();
  return postern.receipt();
}

describe("receipts", () => {
  it("say what the client tells, and nothing where it tells nothing", async () => {
    const headers = { "x-claude-code-session-id": "s-1", "x-claude-code-agent-id": "a-1" };
    expect(reported(await call(headers, inShop))).toEqual({ session: "s-1", project: "shop", agent: "a-1" });
    const plain = await call({});
    expect(Object.keys(plain).filter((name) => ["session", "project", "agent"].includes(name))).toEqual([]);
  });

  it("say of what the input tokens of a session's request were, and of no other", async () => {
    const { terms, context } = await call({ "x-postern-session": "s-9" }, inShop);
    const input = terms.reduce((sum, { unit, quantity }) => sum + (unit === "input" ? quantity : 0), 0);
    expect(context).toEqual({ system: 7, tools: 0, results: 0, messages: input - 7 });
    expect((await call({}, inShop)).context).toBeUndefined();
  });

  it("of calls that are refused and of other kinds of calls too", async () => {
    const own = { "x-postern-session": "s-2", "x-postern-project": "docs", "x-postern-agent": "writer" };
    const identity = { session: "s-2", project: "docs", agent: "writer" };
    const refused = await call(own, { ...CHAT, model: "no-such-model" });
    expect(refused.outcome).toBe("failed");
    expect(reported(refused)).toEqual(identity);
    await (await postern.post("/embeddings", { model: "no-such-model", input: "a" }, KEY, own)).text();
    const embeddings = await postern.receipt();
    expect([embeddings.endpoint, reported(embeddings)]).toEqual(["embeddings", identity]);
  });

  it("of calls by tools too", async () => {
    const headers = {
      authorization: `Bearer ${KEY}`,
      "x-postern-session": "s-8",
      "x-postern-project": "docs",
    };
    const client = new Client({ name: "test", version: "0" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${postern.url}/mcp`), { requestInit: { headers } }),
    );
    await client.callTool({ name: "chat", arguments: { model: "gpt-4.1", prompt: "Say hello." } });
    await client.close();
    expect(reported(await postern.receipt())).toEqual({ session: "s-8", project: "docs", agent: undefined });
  });

  it("are found by session, project and agent, and counted by project", async () => {
    await call({ "x-postern-session": "s-3", "x-postern-project": "deep blue" });
    await call({ "x-postern-session": "s-3", "x-postern-project": "deep blue", "x-postern-agent": "b" });
    await call({ "x-postern-session": "s-4", "x-postern-project": "deep blue" });
    const list = async (query: string): Promise<number> =>
      (await postern.ask<{ data: unknown[] }>("GET", `/requests?${query}`)).data.length;
    expect(await list("session=s-3")).toBe(2);
    expect(await list("project=deep%20blue")).toBe(3);
    expect(await list("session=s-3&agent=b")).toBe(1);
    expect(await list("q=DEEP%20B")).toBe(3);
    expect(await list("q=s-4")).toBe(1);
    const { data } = await postern.ask<ControlOutput<"usage">>("GET", "/usage?by=project");
    const byProject = Object.fromEntries(data.map(({ group, totals }) => [group, totals.requests]));
    expect(byProject["deep blue"]).toBe(3);
    for (const range of ["today", "7d"]) {
      const series = await postern.ask<ControlOutput<"usageSeries">>("GET", `/usage/series?range=${range}&by=project`);
      expect(series.groups.find(({ group }) => group === "deep blue")?.totals.requests).toBe(3);
    }
  });
});
