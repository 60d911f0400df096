import { Validator } from "@cfworker/json-schema";
import { expect, it } from "vitest";
import { openApiDocument } from "../../../gateway/http/openapi/document.ts";
import { KEY } from "../../support/running-gateway.ts";
import { useGateway } from "../../support/use-gateway.ts";

/** What the OpenAPI document calls valid is accepted, and what it calls invalid is refused. */

const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

type Schema = ConstructorParameters<typeof Validator>[0];
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}
const { paths } = JSON.parse(JSON.stringify(openApiDocument("1.0.0"))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operationAt = (path: string, method: string): Operation => {
  const operation = paths[path]?.[method];
  if (operation === undefined) throw new Error(`${method} ${path} is not documented`);
  return operation;
};
const validates = (schema: Schema | undefined, value: unknown): boolean =>
  new Validator(schema ?? false, "2020-12").validate(value).valid;

const HI = { role: "user", content: "Hi" };
const CALL = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
const chat = (...messages: object[]) => ["/v1/chat/completions", { model: "gpt-4.1", messages }] as const;
const messages = (fields: object) =>
  ["/v1/messages", { model: "claude-sonnet-5-5", max_tokens: 10, messages: [HI], ...fields }] as const;
const count = (fields: object) =>
  ["/v1/messages/count_tokens", { model: "claude-sonnet-5-5", messages: [HI], ...fields }] as const;
const blocks = (...content: object[]) => ({ role: "user", content });

it.each([
  [...chat(HI), true],
  [...chat(), false],
  [...chat({ role: "tool", tool_call_id: "call_1" }), false],
  [...chat({ role: "user", content: null }), false],
  [...chat(HI, { role: "assistant", content: null, tool_calls: [CALL] }, { role: "tool", content: "x" }), false],
  [
    ...chat(HI, { role: "assistant", tool_calls: [CALL] }, { role: "tool", content: "x", tool_call_id: "call_1" }),
    true,
  ],
  [...chat(blocks({ type: "image_url" })), false],
  [...chat(blocks({ type: "text", text: "Hi" }, { type: "unknown" })), true],
  ["/v1/chat/completions", { model: "gpt-4.1", messages: [HI], seed: 1.5 }, false],
  ["/v1/chat/completions", { model: "gpt-4.1", messages: [HI], seed: 2 ** 60 }, true],
  [...messages({}), true],
  [...messages({ messages: [] }), false],
  [...messages({ messages: [blocks({ type: "text", text: "Hi" })] }), true],
  [...messages({ tools: [{ name: "f" }] }), false],
  [...messages({ tools: [{ type: null, name: "f", input_schema: { type: "object" } }] }), true],
  [...messages({ tools: [{ type: "custom", input_schema: {} }] }), false],
  [...messages({ tool_choice: { type: "tool" } }), false],
  [...count({}), true],
  [...count({ messages: [] }), false],
  ["/v1/responses", { model: "gpt-4.1", input: "Hi" }, true],
  ["/v1/responses", { model: "gpt-4.1", input: null }, false],
  ["/v1/responses", { model: "gpt-4.1" }, false],
  ["/v1/responses", { model: "gpt-4.1", input: [] }, false],
  ["/v1/audio/speech", { model: "tts-1", voice: "alloy", input: "Hi" }, true],
  ["/v1/audio/speech", { model: "tts-1", voice: "alloy", input: "" }, false],
  ["/v1/audio/speech", { model: "tts-1", voice: "alloy", input: " \n" }, false],
] as const)("%s %j: %s", async (path, body, valid) => {
  expect(validates(operationAt(path, "post").requestBody?.content["application/json"]?.schema, body)).toBe(valid);
  const response = await postern.post(path.slice("/v1".length), body, KEY);
  await response.arrayBuffer();
  expect(response.status).toBe(valid ? 200 : 400);
});

it.each([
  ["2026-11-01", true],
  ["", true],
  ["2026-11-01T00:00:00Z", true],
  ["2026-02-30", false],
  ["20.11.2026", false],
])("start_date=%s: %s", async (day, valid) => {
  const { parameters } = operationAt("/v1/dashboard/billing/usage", "get");
  expect(validates(parameters?.find(({ name }) => name === "start_date")?.schema, day)).toBe(valid);
  const query = new URLSearchParams({ start_date: day });
  const response = await fetch(`${postern.url}/v1/dashboard/billing/usage?${query.toString()}`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  await response.arrayBuffer();
  expect(response.status).toBe(valid ? 200 : 400);
});

it.each(["/v1/dashboard/billing/subscription", "/v1/dashboard/billing/usage", "/v1/models"])(
  "%s responds with what is documented and with nothing else",
  async (path) => {
    const response = await fetch(postern.url + path, { headers: { authorization: `Bearer ${KEY}` } });
    const schema = operationAt(path, "get").responses["200"]?.content["application/json"]?.schema;
    expect(validates(schema, await response.json())).toBe(true);
  },
);
