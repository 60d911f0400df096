import { expect, it } from "vitest";
import { NEW, OLD, post, rpc, toolCall } from "./wire.ts";
import { useGateway } from "../../../support/use-gateway.ts";

const logged: string[] = [];
const gateway = useGateway(() => ({ logged, env: { POSTERN_SANDBOX: "on" } }));

it("what a client said is not logged in the words of a library that refuses it", async () => {
  const said = "the diary of a canary";
  const before = logged.length;
  const meta = { "io.modelcontextprotocol/protocolVersion": said };
  for (const text of [
    said,
    JSON.stringify(said),
    ...[
      rpc(NEW, 1, said),
      rpc(NEW, said, said, { _meta: meta }),
      rpc(NEW, 1, "tools/call", { name: said, arguments: {} }),
      rpc(OLD, 1, "initialize", { protocolVersion: said, capabilities: said }),
      toolCall(NEW, "chat", { model: said, prompt: said }),
      { jsonrpc: "2.0", method: said },
      { jsonrpc: "2.0", id: said, result: {} },
      { jsonrpc: said, id: 1 },
    ].map((message) => JSON.stringify(message)),
  ]) {
    for (const headers of [{}, { "mcp-protocol-version": NEW, "mcp-method": said }, { "mcp-protocol-version": said }])
      await (await post(gateway, text, { headers })).arrayBuffer();
  }
  // Everybody who has asked for a response has it: the log is written a moment later.
  await expect.poll(() => logged.length).toBeGreaterThan(before + 20);
  expect(logged.slice(before).filter((line) => /diary/.test(line) && !/"event":"request"/.test(line))).toEqual([]);
});
