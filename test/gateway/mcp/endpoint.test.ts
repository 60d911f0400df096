import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as modern from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { KEY } from "../../support/running-gateway.ts";
import { useGateway } from "../../support/use-gateway.ts";

type ToolCall = Parameters<Client["callTool"]>[0];
type RequestOptions = Parameters<Client["callTool"]>[2];

/** What docs/mcp.md#tools names, and `quote`. */
const TOOLS = [
  "chat",
  "generate_image",
  "edit_image",
  "generate_video",
  "synthesize_speech",
  "embed_text",
  "transcribe_audio",
  "get_video_task",
  "list_video_tasks",
  "cancel_video_task",
  "list_models",
  "get_quota",
  "quote",
];

const MEDIA_TOOLS = ["generate_image", "edit_image", "synthesize_speech"];

const gateway = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

const endpoint = (): URL => new URL(`${gateway.url}/mcp`);
const requestInit = { headers: { authorization: `Bearer ${KEY}` } };

/** A message, sent as it is. */
function post(message: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(endpoint(), {
    method: "POST",
    headers: {
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "0" } },
};

describe.each([
  [
    "the SDK 1.x, older era",
    async () => {
      const client = new Client({ name: "test", version: "1" });
      await client.connect(new StreamableHTTPClientTransport(endpoint(), { requestInit }));
      // This client takes a schema of the result in the second place.
      return Object.assign(client, {
        callTool: (params: ToolCall, options?: RequestOptions) =>
          Client.prototype.callTool.call(client, params, undefined, options),
      });
    },
  ],
  [
    "the SDK 2.x, older era",
    async () => {
      const client = new modern.Client({ name: "test", version: "1" });
      await client.connect(new modern.StreamableHTTPClientTransport(endpoint(), { requestInit }));
      return client;
    },
  ],
  [
    "the SDK 2.x, 2026-07-28",
    async () => {
      const client = new modern.Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
      await client.connect(new modern.StreamableHTTPClientTransport(endpoint(), { requestInit }));
      return client;
    },
  ],
])("%s", (_name, connect) => {
  it("learns what the server is", async () => {
    const client = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: "postern", title: "Postern" });
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, resources: {} });
    expect(client.getInstructions()).toContain("quote");
    await client.close();
  });

  it("lists the tools in one order, with schemas that name the key's models", async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const tool of tools) {
      expect(tool.inputSchema.type, tool.name).toBe("object");
      const schema = MEDIA_TOOLS.includes(tool.name) ? undefined : "object";
      expect(tool.outputSchema?.type, tool.name).toBe(schema);
      expect(tool.description?.length, tool.name).toBeGreaterThan(80);
      for (const [name, field] of Object.entries(tool.inputSchema.properties ?? {}))
        expect((field as { description?: string }).description, `${tool.name}.${name}`).toBeTruthy();
    }
    const chat = tools.find(({ name }) => name === "chat");
    expect(JSON.stringify(chat?.inputSchema.properties?.["model"])).toContain("Now: ");
    await client.close();
  });

  it("calls a tool, and is reported progress when it asks", async () => {
    const client = await connect();
    const steps: unknown[] = [];
    const result = await client.callTool({ name: "chat", arguments: { model: "gpt-4.1", prompt: "Say hello." } }, {
      onprogress: (step: unknown) => steps.push(step),
    } as never);
    expect(result.isError).not.toBe(true);
    expect(result.structuredContent).toMatchObject({ model: expect.any(String), sandbox: true });
    await client.close();
  });

  it.each([
    ["generate_image", { model: "gpt-image-1", prompt: "A cat." }, "image", "images"],
    ["synthesize_speech", { model: "gpt-4o-mini-tts", input: "Hello." }, "audio", "audio"],
  ])("%s shows what it made to hosts that prefer structured content", async (name, given, type, field) => {
    const client = await connect();
    const { content, structuredContent, _meta } = await client.callTool({ name, arguments: given });
    expect((content as { type: string }[]).map((block) => block.type)).toEqual([type, "resource_link", "text"]);
    expect(structuredContent).toBeUndefined();
    expect(_meta?.["postern/result"]).toMatchObject({ [field]: expect.anything(), cost_usd: expect.any(Number) });
    const linked = await client.callTool({ name, arguments: { ...given, delivery: "link" } });
    expect((linked.content as { type: string }[]).map((block) => block.type)).toEqual(["resource_link", "text"]);
    expect(linked.structuredContent).toMatchObject({ [field]: expect.anything(), cost_usd: expect.any(Number) });
    await client.close();
  });

  it("is refused in words and with a code", async () => {
    const client = await connect();
    const result = await client.callTool({ name: "chat", arguments: { model: "no-such-model", prompt: "x" } });
    expect(result.isError).toBe(true);
    expect(result._meta).toMatchObject({ "postern/error": { code: "model_not_found", status: 404 } });
    await client.close();
  });

  it("reads resources", async () => {
    const client = await connect();
    const { contents } = await client.readResource({ uri: "postern://models" });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ object: "list" });
    await expect(client.readResource({ uri: "postern://tasks/vt_none" })).rejects.toMatchObject({ code: -32_602 });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate).toSorted()).toEqual([
      "postern://media/{id}",
      "postern://tasks/{id}",
    ]);
    await client.close();
  });
});

describe("what is refused before anything is read", () => {
  it.each(["GET", "DELETE"])("%s in the revision without sessions", async (method) => {
    const response = await fetch(endpoint(), {
      method,
      headers: { ...requestInit.headers, accept: "text/event-stream", "mcp-protocol-version": "2026-07-28" },
    });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
  });

  it("clients that look for a login find none, so that they say what is wrong", async () => {
    const paths = ["/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server", "/register"];
    for (const path of paths) expect((await fetch(`${gateway.url}${path}`)).status, path).toBe(404);
  });
});

/** What a response says, in whichever of the two types it came. */
async function messageOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  return JSON.parse(isStream ? text.slice(text.lastIndexOf("\ndata: ") + 7) : text) as Record<string, unknown>;
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { sampling: null },
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "0", title: null },
};

/** A request of either era, in a session where its era has them. */
async function requestOf(era: string, method: string, params: object, accept: Readonly<Record<string, string>> = {}) {
  const message = { jsonrpc: "2.0", id: 7, method, params };
  if (era === "stateless") {
    const name = (params as { name?: string }).name;
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...(name && { "mcp-name": name }) };
    return post({ ...message, params: { ...params, _meta: META } }, { ...headers, ...accept });
  }
  const started = await post(
    { ...initialize, params: { ...initialize.params, capabilities: { roots: null } } },
    accept,
  );
  expect(await messageOf(started)).toMatchObject({ id: 1, result: { serverInfo: { name: "postern" } } });
  const session = started.headers.get("mcp-session-id") ?? "";
  return post({ ...message, params: { ...params, _meta: null } }, { ...accept, "mcp-session-id": session });
}

describe.each(["stateless", "with sessions"])("%s", (era) => {
  it.each([
    ["*/*", /json|event-stream/],
    ["application/json, */*;q=0.8", /json|event-stream/],
    ["application/json", /^application\/json/],
    ["Application/JSON;charset=utf-8", /^application\/json/],
    ["text/event-stream", /^text\/event-stream/],
    ["application/json, text/event-stream", /json|event-stream/],
  ])("a client that accepts %s is answered", async (accept, type) => {
    const response = await requestOf(era, "tools/call", { name: "list_models", arguments: {} }, { accept });
    expect(response.headers.get("content-type")).toMatch(type);
    expect(await messageOf(response)).toMatchObject({
      id: 7,
      result: { structuredContent: { total: expect.any(Number) } },
    });
  });

  it.each([
    ["list_models", { capability: null, search: null, limit: null, offset: null }],
    ["list_models", null],
    ["get_quota", null],
    ["quote", { tool: "chat", arguments: { model: "gpt-4.1", prompt: "x", messages: null, max_tokens: null } }],
    ["chat", { model: "gpt-4.1", prompt: "x", messages: null, temperature: null, response_format: null, seed: null }],
    ["chat", { model: "gpt-4.1", prompt: "x", response_format: { type: "text", json_schema: null } }],
  ])("%s takes the null of %j as not given", async (name, given) => {
    const { result } = await messageOf(await requestOf(era, "tools/call", { name, arguments: given }));
    expect((result as { isError?: boolean }).isError, JSON.stringify(result)).not.toBe(true);
  });

  it("every tool takes null for each argument that it does not need", async () => {
    const { result } = await messageOf(await requestOf(era, "tools/list", { cursor: null }));
    const { tools } = result as {
      tools: { name: string; inputSchema: { properties?: object; required?: string[] } }[];
    };
    for (const { name, inputSchema } of tools) {
      const given = Object.fromEntries(Object.keys(inputSchema.properties ?? {}).map((field) => [field, null]));
      const message = await messageOf(await requestOf(era, "tools/call", { name, arguments: given }));
      const { isError, content } = message["result"] as { isError?: boolean; content: { text: string }[] };
      const needed = (inputSchema.required ?? []).map(
        (field) => `missing_required_parameter: Missing required parameter: '${field}'`,
      );
      if (isError === true) expect(content[0]?.text, name).toMatch(new RegExp(`^(?:${needed.join("|")})`));
      else expect(needed, name).toEqual([]);
    }
  });

  it("null for an argument that must be there is said to be missing", async () => {
    const message = await messageOf(await requestOf(era, "tools/call", { name: "chat", arguments: { model: null } }));
    expect(JSON.stringify(message)).toContain("Missing required parameter: 'model'");
  });
});

it("refuses who takes neither type of response", async () => {
  expect((await post(initialize, { accept: "text/html" })).status).toBe(406);
});

describe("revisions", () => {
  it.each(["2025-03-26", "2025-06-18", "2025-11-25"])("%s is agreed on", async (protocolVersion) => {
    const response = await post({ ...initialize, params: { ...initialize.params, protocolVersion } });
    expect(await response.text()).toContain(`"protocolVersion":"${protocolVersion}"`);
    expect(response.headers.get("mcp-session-id")).toMatch(/^[\x21-\x7E]{20,600}$/);
  });

  it("one that no one knows is answered with ours", async () => {
    const response = await post({ ...initialize, params: { ...initialize.params, protocolVersion: "2099-01-01" } });
    expect(await response.text()).toContain('"protocolVersion":"2025-11-25"');
  });
});
