import type { RunningGateway } from "./gateway.ts";

/** What clients asked the tool server for lately, as the pictures show it. */
type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];
const visits: readonly (readonly [userAgent: string, calls: readonly Call[]])[] = [
  [
    "claude-code/2.2.0 (cli)",
    [
      ["list_models", { capability: "image" }],
      ["quote", { tool: "generate_image", arguments: { model: "gpt-image-1", prompt: "A heron, woodcut" } }],
      ["generate_image", { model: "gpt-image-1", prompt: "A heron, woodcut in two colours" }],
    ],
  ],
  [
    "codex-mcp-client/0.160.0",
    [
      ["chat", { model: "gpt-5.4-mini", prompt: "Name three things that a gateway is good for." }],
      ["chat", { model: "gpt-9", prompt: "And a fourth one?" }],
    ],
  ],
  [
    "Cursor/2.4.1",
    [
      ["synthesize_speech", { model: "tts-1", input: "Your tea is ready on the terrace.", voice: "alloy" }],
      ["get_quota", {}],
    ],
  ],
];

interface Visitor {
  /** Resolves with the text of the answer. */
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<string>;
}

async function enter(gateway: RunningGateway, userAgent: string): Promise<Visitor> {
  let session: string | null = null;
  let id = 0;
  const send = async (message: Record<string, unknown>): Promise<string> => {
    const response = await fetch(`${gateway.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${gateway.apiKey}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "user-agent": userAgent,
        ...(session !== null && { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    session ??= response.headers.get("mcp-session-id");
    return response.text();
  };
  const [name = "", version = ""] = userAgent.split(/[/ ]/);
  const clientInfo = { name, version };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  await send({ id, method: "initialize", params });
  await send({ method: "notifications/initialized" });
  return {
    call: (tool, input) => {
      id += 1;
      return send({
        id,
        method: "tools/call",
        params: { name: tool, arguments: input, _meta: { progressToken: id } },
      });
    },
  };
}

/** Makes the calls; the last one goes on, because it waits for a video that takes ten minutes. */
export async function callTools(gateway: RunningGateway): Promise<void> {
  for (const [userAgent, calls] of visits) {
    const visitor = await enter(gateway, userAgent);
    for (const [tool, input] of calls) await visitor.call(tool, input);
  }
  const waiting = await enter(gateway, "claude-code/2.2.0 (cli)");
  const made = await waiting.call("generate_video", {
    model: "alpha2.7-t2v",
    prompt: "Clouds over a harbour sandbox:slow=600000",
    duration_seconds: 5,
    resolution: "720p",
  });
  const id = /vt_\w+/.exec(made)?.[0];
  if (id === undefined) throw new Error(`no task in: ${made}`);
  // It is cut off when the gateway stops.
  void waiting.call("get_video_task", { id, wait_seconds: 600 }).catch(() => undefined);
}
