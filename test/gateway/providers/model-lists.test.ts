import { afterAll, beforeAll, expect, it } from "vitest";
import { KEY, startGateway, type TestGateway } from "../../support/running-gateway.ts";
import { WireProvider, reply, type WireSeen } from "../../support/wire-provider.ts";

const wire = new WireProvider();
const requests: WireSeen[] = [];
let postern: TestGateway;

const list = (...ids: readonly string[]) => ({ object: "list", data: ids.map((id) => ({ id, object: "model" })) });
const listed = (path: string, body: unknown): void => {
  wire.on(`GET ${path}`, (seen, outgoing) => {
    requests.push(seen);
    return reply(200, body)(seen, outgoing);
  });
};

beforeAll(async () => {
  await wire.listen();
  const claude = {
    type: "model",
    id: "claude-next-9",
    display_name: "Claude Next 9",
    created_at: "2026-11-01T00:00:00Z",
    max_input_tokens: 1_000_000,
  };
  listed("/anthropic/v1/models", { data: [claude], has_more: false, first_id: claude.id, last_id: claude.id });
  listed("/dashscope/compatible-mode/v1/models", list("qwen-next-9", "qwen-plus"));
  listed("/gemini/v1beta/openai/models", list("models/gemini-next-9", "models/gemini-2.5-pro"));
  listed("/ark/api/v3/models", list("doubao-next-9"));
  listed("/xai/v1/models", list("grok-next-9", "grok-4-0709"));
  const env = ["ANTHROPIC", "DASHSCOPE", "GEMINI", "ARK", "XAI"].flatMap((provider) => [
    [`POSTERN_${provider}_BASE_URL`, `${wire.origin}/${provider.toLowerCase()}`],
    [`POSTERN_${provider}_API_KEY`, `${provider.toLowerCase()}-key`],
  ]);
  postern = await startGateway({ env: Object.fromEntries(env) as Record<string, string> });
});
afterAll(async () => {
  await postern.close();
  await wire.close();
});

it("are asked for where each provider has them, and show what the catalog does not know, once and without prefixes", async () => {
  const response = await fetch(`${postern.url}/v1/models`, { headers: { authorization: `Bearer ${KEY}` } });
  const { data } = (await response.json()) as { data: { id: string; context_length: number | null }[] };
  const ids = data.map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining(["claude-next-9", "qwen-next-9", "gemini-next-9", "doubao-next-9", "grok-next-9"]),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => id.startsWith("models/") || id === "grok-4-0709")).toEqual([]);
  expect(data.find(({ id }) => id === "claude-next-9")?.context_length).toBe(1_000_000);

  const anthropic = requests.find(({ path }) => path === "/anthropic/v1/models");
  expect(anthropic?.query.get("limit")).toBe("1000");
  expect(anthropic?.headers).toMatchObject({ "x-api-key": "anthropic-key", "anthropic-version": "2023-06-01" });
  for (const provider of ["dashscope", "gemini", "ark", "xai"]) {
    const request = requests.find(({ path }) => path.startsWith(`/${provider}/`));
    expect(request?.headers.authorization).toBe(`Bearer ${provider}-key`);
  }
});

it("lead to their providers by the ids that they hold", async () => {
  const body = {
    id: "1",
    object: "chat.completion",
    created: 1,
    model: "gemini-next-9",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi" } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
  wire.on("POST /gemini/v1beta/openai/chat/completions", reply(200, body));
  const response = await postern.chat({ model: "gemini-next-9", messages: [{ role: "user", content: "Hi" }] });
  expect(response.status).toBe(200);
  expect(wire.seen.at(-1)?.json).toMatchObject({ model: "gemini-next-9" });
});
