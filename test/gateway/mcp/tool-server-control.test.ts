import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { McpView, TriedTool } from "../../../gateway/contract/mcp.ts";
import { contentFrame, stream, streamThenHang } from "../../support/acts.ts";
import { useGateway, useProvider } from "../../support/use-gateway.ts";

/** Tools that the owner tries from the page. */
const provider = useProvider();
let key: string;

const postern = useGateway(() => ({ provider }));
beforeAll(async () => {
  key = (await postern.ask<{ data: { id: string }[] }>("GET", "/keys")).data[0]?.id ?? "";
});
beforeEach(() => {
  provider.reset();
  // A page is informed how far a call is, so it streams.
  provider.usual = stream();
});

const chat = (prompt: string) => ({ key, tool: "chat", arguments: { model: "gpt-4.1", prompt } });

describe("a try", () => {
  it("says which request it was and what it cost, as its receipt does", async () => {
    const tried = await postern.ask<TriedTool>("POST", "/mcp/call", chat("Say hello."));
    const { id, nano } = await postern.receipt();
    expect(nano).toBeGreaterThan(0);
    expect(tried).toMatchObject({ is_error: false, cancelled: false, request_id: id, spent: { nano, sandbox: false } });
  });

  it("of a free tool, and one that was refused, cost nothing", async () => {
    const free = { key, tool: "list_models", arguments: {} };
    expect(await postern.ask("POST", "/mcp/call", free)).toMatchObject({ spent: null });
    const refused = { key, tool: "chat", arguments: { model: "no-such-model", prompt: "x" } };
    expect(await postern.ask("POST", "/mcp/call", refused)).toMatchObject({ spent: { nano: 0 } });
  });

  it("is ended at the provider when it is cancelled, and says that it was and what it cost", async () => {
    provider.usual = streamThenHang([contentFrame("Half of ")]);
    const trying = postern.ask<TriedTool>("POST", "/mcp/call", { ...chat("Wait."), trial: "trial-1" });
    await provider.arrived(1);
    await postern.ask("POST", "/mcp/cancel", { trial: "trial-1" });
    const tried = await trying;
    expect(tried.cancelled).toBe(true);
    await expect.poll(() => provider.aborts).toBe(1);
    expect((await postern.ask<McpView>("GET", "/mcp")).calls[0]).toMatchObject({
      id: tried.request_id,
      status: "cancelled",
    });
    const receipt = (await postern.receipts()).find(({ id }) => id === tried.request_id);
    expect(receipt?.nano).toBeGreaterThan(0);
    expect(tried.spent).toEqual({ nano: receipt?.nano, sandbox: false });
  });

  it("cannot be cancelled when it is over, and leaves nothing behind by its name", async () => {
    await postern.ask("POST", "/mcp/call", { ...chat("Say hello."), trial: "trial-2" });
    const refused = await postern.control("POST", "/mcp/cancel", { trial: "trial-2" });
    expect([refused.status, await refused.json()]).toMatchObject([404, { error: { code: "not_found" } }]);
  });

  it("takes the pictures that the tool takes, and other operations do not take as much", async () => {
    const picture = `data:image/png;base64,${Buffer.alloc(3_000_000).toString("base64")}`;
    const content = [{ type: "image_url", image_url: { url: picture } }];
    const given = { model: "gpt-4.1", messages: [{ role: "user", content }] };
    const tried = await postern.ask<TriedTool>("POST", "/mcp/call", { key, tool: "chat", arguments: given });
    expect(tried).toMatchObject({ is_error: false });
    const refused = await postern.control("POST", "/mcp/cancel", { trial: picture });
    expect([refused.status, await refused.json()]).toMatchObject([413, { error: { code: "request_too_large" } }]);
  });
});
