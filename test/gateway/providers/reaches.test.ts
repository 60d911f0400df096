import { describe, expect, it } from "vitest";
import type { FieldRules } from "../../../gateway/core/keys/key-reach.ts";
import { provider as anthropic } from "../../../gateway/providers/anthropic/provider.ts";
import { provider as ark } from "../../../gateway/providers/ark/provider.ts";
import { provider as dashscope } from "../../../gateway/providers/dashscope/provider.ts";
import { provider as gemini } from "../../../gateway/providers/gemini/provider.ts";
import { provider as openai } from "../../../gateway/providers/openai/provider.ts";
import { provider as compatible } from "../../../gateway/providers/openai-compatible/provider.ts";
import { provider as xai } from "../../../gateway/providers/xai/provider.ts";

type Body = Readonly<Record<string, unknown>>;

const RULES = {
  "openai chat": openai.chat?.reaches,
  "openai responses": openai.responses?.reaches,
  "openai edits": openai.edits?.reaches,
  "openai videos": openai.videos?.reaches,
  anthropic: anthropic.messages?.reaches,
  gemini: gemini.chat?.reaches,
  "gemini images": gemini.images?.reaches,
  dashscope: dashscope.chat?.reaches,
  ark: ark.chat?.reaches,
  "ark images": ark.images?.reaches,
  "ark videos": ark.videos?.reaches,
  xai: xai.chat?.reaches,
  compatible: compatible.chat?.reaches,
  "compatible embeddings": compatible.embeddings?.reaches,
  "compatible images": compatible.images?.reaches,
} satisfies Record<string, FieldRules | undefined>;

function found(of: keyof typeof RULES, body: Body, thorough = true): string[] {
  const rules = RULES[of];
  if (rules === undefined) throw new Error(`${of} has no rules`);
  return rules.find(body, thorough).map(({ reach, path }) => `${reach} ${path}`);
}

const user = (part: Body): Body => ({ messages: [{ role: "user", content: [{ type: "text", text: "x" }, part] }] });
const tool = (type: string, more: Body = {}): Body => ({
  tools: [
    { type: "function", function: { name: "f" } },
    { type, ...more },
  ],
});

describe.each<[keyof typeof RULES, Body, string]>([
  ["openai chat", { web_search_options: {} }, "hosted_tool web_search_options"],
  ["openai chat", { store: true }, "stored_object store"],
  [
    "openai chat",
    user({ type: "file", file: { file_id: "file-1" } }),
    "stored_object messages[0].content[1].file.file_id",
  ],
  [
    "openai responses",
    tool("image_generation", { model: "gpt-image-2" }),
    "model tools[1].model, hosted_tool tools[1].type",
  ],
  ["openai responses", tool("web_search"), "hosted_tool tools[1].type"],
  ["openai responses", tool("web_search_preview_2025_03_11"), "hosted_tool tools[1].type"],
  ["openai responses", tool("mcp", { server_url: "https://x" }), "hosted_tool tools[1].type"],
  [
    "openai responses",
    tool("file_search", { vector_store_ids: ["vs_1"] }),
    "hosted_tool tools[1].type, stored_object tools[1].vector_store_ids",
  ],
  [
    "openai responses",
    tool("code_interpreter", { container: "cntr_1" }),
    "hosted_tool tools[1].type, stored_object tools[1].container",
  ],
  [
    "openai responses",
    tool("code_interpreter", { container: { type: "auto", file_ids: ["file-1"] } }),
    "hosted_tool tools[1].type, stored_object tools[1].container.file_ids",
  ],
  [
    "openai responses",
    tool("shell", { environment: { type: "container_auto" } }),
    "hosted_tool tools[1].environment.type",
  ],
  ["openai responses", { previous_response_id: "resp_1" }, "stored_object previous_response_id"],
  ["openai responses", { conversation: { id: "conv_1" } }, "stored_object conversation"],
  ["openai responses", { prompt: { id: "pmpt_1" } }, "stored_object prompt"],
  ["openai responses", { store: true }, "stored_object store"],
  ["openai responses", { input: [{ type: "item_reference", id: "msg_1" }] }, "stored_object input[0].type"],
  [
    "openai responses",
    { input: [{ role: "user", content: [{ type: "input_image", file_id: "file-1" }] }] },
    "stored_object input[0].content[0].file_id",
  ],
  [
    "openai responses",
    { input: [{ type: "additional_tools", tools: [{ type: "web_search" }] }] },
    "hosted_tool input[0].tools[0].type",
  ],
  ["openai edits", { images: [{ file_id: "file-1" }] }, "stored_object images[0].file_id"],
  ["openai videos", { input_reference: { file_id: "file-1" } }, "stored_object input_reference.file_id"],
  ["anthropic", tool("web_search_20250305", { name: "web_search" }), "hosted_tool tools[1].type"],
  ["anthropic", tool("web_fetch_20250910"), "hosted_tool tools[1].type"],
  ["anthropic", tool("code_execution_20250825"), "hosted_tool tools[1].type"],
  ["anthropic", { mcp_servers: [{ type: "url", url: "https://x" }] }, "hosted_tool mcp_servers"],
  ["anthropic", { container: "container_1" }, "stored_object container"],
  [
    "anthropic",
    user({ type: "document", source: { type: "file", file_id: "file_1" } }),
    "stored_object messages[0].content[1].source.file_id",
  ],
  ["anthropic", user({ type: "container_upload", file_id: "file_1" }), "stored_object messages[0].content[1].file_id"],
  [
    "gemini",
    { extra_body: { google: { cached_content: "cachedContents/1" } } },
    "stored_object extra_body.google.cached_content",
  ],
  ["gemini", { tools: [{ google_search: {} }] }, "hosted_tool tools[0].google_search"],
  [
    "gemini",
    user({
      type: "image_url",
      image_url: { url: "https://generativelanguage.googleapis.com/v1beta/files/1" },
    }),
    "stored_object messages[0].content[1].image_url.url",
  ],
  [
    "gemini images",
    { tools: [{ google_search: {} }], contents: [{ parts: [{ fileData: { fileUri: "files/1" } }] }] },
    "hosted_tool tools[0], stored_object contents[0].parts[0].fileData.fileUri",
  ],
  ["dashscope", { enable_search: true, search_options: {} }, "hosted_tool enable_search"],
  ["dashscope", { messages: [{ role: "system", content: "fileid://file-fe-1" }] }, "stored_object messages[0].content"],
  ["ark", tool("web_search"), "hosted_tool tools[1].type"],
  ["ark images", { tools: [{ type: "web_search" }] }, "hosted_tool tools[0].type"],
  ["ark videos", { content: [{ type: "draft_task", draft_task: { id: "cgt-1" } }] }, "stored_object content[0].type"],
  ["xai", { search_parameters: { mode: "on" } }, "hosted_tool search_parameters"],
  ["xai", { deferred: true }, "stored_object deferred"],
  ["compatible", { models: ["a/b", "c/d"] }, "model models[0], model models[1]"],
  ["compatible", { route: "fallback" }, "hosted_tool route"],
  ["compatible", { plugins: [{ id: "web" }] }, "hosted_tool plugins"],
  ["compatible", { provider: { sort: "price" } }, "hosted_tool provider"],
  ["compatible", { model: "openai/gpt-5:online" }, "hosted_tool model"],
  ["compatible", tool("builtin_function"), "hosted_tool tools[1].type"],
  ["compatible", { fallbacks: [{ model: "x" }] }, "model fallbacks[0], model fallbacks[0].model"],
  ["compatible embeddings", { models: ["a/b"] }, "model models[0]"],
  ["compatible images", { provider: { only: ["x"] } }, "hosted_tool provider"],
])("%s: %j", (of, body, reaches) => {
  it("is found", () => expect(found(of, body).join(", ")).toBe(reaches));
});

it.each<[keyof typeof RULES, Body]>([
  ["openai chat", { ...tool("custom"), store: false, web_search_options: null, metadata: { a: "b" } }],
  ["openai responses", { ...tool("custom"), store: false, include: [], previous_response_id: null }],
  ["openai responses", tool("shell", { environment: { type: "local" } })],
  ["openai responses", { input: [{ type: "function_call_output", call_id: "c", output: "file_id" }] }],
  [
    "anthropic",
    {
      tools: [
        { name: "f", input_schema: {} },
        { type: "bash_20250124", name: "bash" },
      ],
    },
  ],
  ["anthropic", user({ type: "tool_use", id: "t", name: "f", input: { file_id: "mine" } })],
  ["anthropic", user({ type: "document", source: { type: "base64", data: "eA==" } })],
  ["gemini", user({ type: "image_url", image_url: { url: "https://example.org/files/1.png" } })],
  ["dashscope", { enable_search: false, messages: [{ role: "user", content: "what is fileid://?" }] }],
  ["compatible", { models: [], plugins: [], transforms: ["middle-out"], something_new: { models: ["a"] } }],
  ["compatible", { model: "openai/gpt-5:free" }],
])("%s: nothing is found in %j", (of, body) => {
  expect(found(of, body)).toEqual([]);
});

it("looks through a conversation only where it is asked to", () => {
  expect(found("anthropic", user({ type: "container_upload", file_id: "file_1" }), false)).toEqual([]);
});
