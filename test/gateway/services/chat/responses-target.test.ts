import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import type { ProviderId } from "../../../../gateway/providers/registry.ts";
import type { Dialect } from "../../../../gateway/services/chat/dialect.ts";
import { chatDialect } from "../../../../gateway/services/chat/dialects/chat.ts";
import { messagesDialect } from "../../../../gateway/services/chat/dialects/messages.ts";
import { responsesDialect } from "../../../../gateway/services/chat/dialects/responses.ts";
import { RequestTranslator, sortNativeFirst } from "../../../../gateway/services/chat/request-translator.ts";
import type { Candidate, ServedModel } from "../../../../gateway/services/models/served-model.ts";
import { bareConnection } from "../../../support/bare-connection.ts";

/** Which models are asked on Responses, and where. */

const HI = [{ role: "user", content: "Hi" }];
const SCHEMA = { type: "object", properties: {} };
const TOOLS = [{ type: "function", function: { name: "look", parameters: SCHEMA } }];

function candidateAt(upstreamModel: string, provider: ProviderId = "openai", baseUrl?: string): Candidate {
  return { connection: bareConnection(provider, false, baseUrl), upstreamModel, price: null };
}

function pathFor(candidate: Candidate, body: Document, dialect: Dialect = chatDialect): string {
  const id = candidate.upstreamModel;
  const served: ServedModel = { id, spec: null, discovered: null, capabilities: ["chat"], candidates: [candidate] };
  const whole = { model: id, ...body };
  const request = { dialect, raw: Buffer.from(JSON.stringify(whole)), body: whole, changed: false, headers: {} };
  const translator = new RequestTranslator(request, served, { now: () => 0, newId: () => "x" });
  return translator.createRequest(candidate, "k", null, () => undefined).path;
}

const chatAt = (model: string, body: Document): string => pathFor(candidateAt(model), { messages: HI, ...body });

describe("OpenAI is asked on Responses", () => {
  it.each([
    ["gpt-5.4", { tools: TOOLS, reasoning_effort: "low" }],
    ["gpt-5.4-mini-2026-03-17", { tools: TOOLS, reasoning_effort: "high" }],
    ["gpt-5.5", { tools: TOOLS }],
    ["gpt-5.6", { tools: TOOLS }],
    ["gpt-5.6-sol", { tools: TOOLS, reasoning_effort: "none" }],
    ["gpt-5.10", { tools: TOOLS }],
    ["gpt-6-astra", { tools: TOOLS }],
    ["gpt-7", { tools: TOOLS }],
    ["gpt-10.1-sol", { tools: TOOLS }],
    ["gpt-5.3-codex", {}],
    ["gpt-5.1-codex-max", {}],
    ["codex-mini-latest", {}],
    ["gpt-5-pro", {}],
    ["gpt-5.4-pro-2026-03-05", {}],
    ["o3-pro", {}],
  ])("%s %j", (model, body) => {
    expect(chatAt(model, body)).toBe("/responses");
  });

  it.each([
    ["gpt-5.6", {}],
    ["gpt-5.6", { tools: [] }],
    ["gpt-5.6", { tools: [{ type: "custom", custom: { name: "patch" } }] }],
    ["gpt-5.5", { tools: TOOLS, reasoning_effort: "none" }],
    ["gpt-5.4", { tools: TOOLS, reasoning_effort: "none" }],
    ["gpt-5.4", { tools: TOOLS }],
    ["gpt-5.2", { tools: TOOLS, reasoning_effort: "high" }],
    ["gpt-5", { tools: TOOLS }],
    ["gpt-5-chat-latest", { tools: TOOLS }],
    ["gpt-4o", { tools: TOOLS }],
    ["gpt-4.1", { tools: TOOLS }],
    ["gpt-35-turbo", { tools: TOOLS }],
    ["gpt-oss-120b", { tools: TOOLS }],
    ["o3", { tools: TOOLS, reasoning_effort: "low" }],
  ])("but not for %s %j", (model, body) => {
    expect(chatAt(model, body)).toBe("/chat/completions");
  });
});

describe("servers that are connected by their address", () => {
  const body = { messages: HI, tools: TOOLS };
  const pathAt = (baseUrl: string): string => pathFor(candidateAt("gpt-5.6", "openai-compatible", baseUrl), body);

  it.each([
    "https://api.openai.com/v1",
    "https://eu.api.openai.com/v1",
    "https://house.openai.azure.com/openai/v1",
    "https://house.services.ai.azure.com/openai/v1",
    "https://house.cognitiveservices.azure.com/openai/v1",
  ])("%s is OpenAI's", (baseUrl) => {
    expect(pathAt(baseUrl)).toBe("/responses");
  });

  it.each([
    "https://openrouter.ai/api/v1",
    "https://api.openai.com.example.com/v1",
    "https://openai.azure.com.example.com/openai/v1",
    "https://house.openai.azure.com/openai/deployments/gpt-5.6",
  ])("%s is not, or has no Responses there", (baseUrl) => {
    expect(pathAt(baseUrl)).toBe("/chat/completions");
  });

  it("a Responses request is passed on there as it is, and translated elsewhere", () => {
    const tools = [{ type: "function", name: "look", parameters: SCHEMA, strict: false }];
    const asked = { input: "Hi", tools };
    const azure = candidateAt("gpt-5.6", "openai-compatible", "https://house.openai.azure.com/openai/v1");
    expect(pathFor(azure, asked, responsesDialect)).toBe("/responses");
    const other = candidateAt("gpt-5.6", "openai-compatible");
    expect(pathFor(other, asked, responsesDialect)).toBe("/chat/completions");
  });
});

it("a Messages request goes there by what it asks for", () => {
  const tools = [{ name: "look", input_schema: SCHEMA }];
  const path = (model: string, body: Document): string =>
    pathFor(candidateAt(model), { max_tokens: 100, messages: HI, ...body }, messagesDialect);
  expect(path("gpt-5.6", { tools })).toBe("/responses");
  expect(path("gpt-5.6", {})).toBe("/chat/completions");
  expect(path("gpt-5.4", { tools, thinking: { type: "disabled" } })).toBe("/chat/completions");
});

it("among equals, who takes the request as it is comes first", () => {
  const openai = candidateAt("gpt-5.6");
  const relay = candidateAt("gpt-5.6", "openai-compatible");
  expect(sortNativeFirst([openai, relay], "chat", { tools: TOOLS })).toEqual([relay, openai]);
  expect(sortNativeFirst([openai, relay], "chat", {})).toEqual([openai, relay]);
});
