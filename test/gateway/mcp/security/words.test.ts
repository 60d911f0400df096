import { expect, it } from "vitest";
import { NEW, OLD, post, rpc, toolCall } from "./wire.ts";
import { useGateway } from "../../../support/use-gateway.ts";

const logged: string[] = [];
const gateway = useGateway(() => ({ logged, env: { POSTERN_SANDBOX: "on" } }));

it("what a client said is not logged in the words of a library that refuses it", async () => {
  const message = "the diary of a canary";
  const before = logged.length;
  const meta = { "io.modelcontextprotocol/protocolVersion": message };
  for (const text of [
    message,
    JSON.stringify(message),
    ...[
      rpc(NEW, 1, message),
      rpc(NEW, message, message, { _meta: meta }),
      rpc(NEW, 1, "tools/call", { name: message, arguments: {} }),
      rpc(OLD, 1, "initialize", { protocolVersion: message, capabilities: message }),
      toolCall(NEW, "chat", { model: message, prompt: message }),
      { jsonrpc: "2.0", method: message },
      { jsonrpc: "2.0", id: message, result: {} },
      { jsonrpc: message, id: 1 },
    ].map((message) => JSON.stringify(message)),
  ]) {
    for (const headers of [
      {},
      { "mcp-protocol-version": NEW, "mcp-method": message },
      { "mcp-protocol-version": message },
    ])
      await (await post(gateway, text, { headers })).arrayBuffer();
  }
  // Everybody who has asked for a response has it: the log is written a moment later.
  await expect.poll(() => logged.length).toBeGreaterThan(before + 20);
  expect(logged.slice(before).filter((line) => /diary/.test(line) && !/"event":"request"/.test(line))).toEqual([]);
});
