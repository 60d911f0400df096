import { clampedEffort } from "../codecs/messages-to-chat/efforts.ts";
import { asList, isRecord } from "../lib/records.ts";
import { setBound } from "./output-bound.ts";
import type { DialectCall } from "./wire-request.ts";
import { withLessons } from "./lessons.ts";
import { buildOwnMessages } from "./own-messages.ts";
import { formatBareName } from "./server-traits.ts";
import type { Fields, ServerTraits, ThinkingSwitch } from "./server-traits.ts";

/**
 * Applies a row of the table: changes the fields of a chat request that a server takes differently.
 * @returns overrides of the body's fields; `undefined` removes one. Money bounds are set by the adapter.
 */
export function buildOwnChat(call: DialectCall, row: ServerTraits): Fields {
  const traits = withLessons(row, call.lessons);
  const { body, upstreamModel } = call;
  const changes: Record<string, unknown> = {};
  for (const field of traits.refused ?? NONE) if (field in body) changes[field] = undefined;
  for (const field of traits.refusedFor?.(upstreamModel) ?? NONE) if (field in body) changes[field] = undefined;
  if (traits.renamed !== undefined) rename(body, traits.renamed, changes);
  // A server that only documents the older field refuses the other, or silently ignores it.
  const { bound } = traits;
  if (bound !== undefined && (traits.refusesOtherBound === true || bound[0] === "max_tokens"))
    Object.assign(changes, setBound({ body, bound: null }, bound));
  switchThinking(call, traits, changes);
  if (traits.refusesStrict !== undefined) dropStrict(body, traits.refusesStrict, changes);
  const isThoughtless = call.model !== null && call.model.reasoning === undefined;
  const thinks = !isThoughtless && !isOff({ ...body, ...changes });
  if (traits.choosesByWord === true) chooseByWord(body, changes);
  if (choosesFreely(traits, upstreamModel, thinks)) chooseFreely(body, changes);
  const messages = buildOwnMessages(body["messages"], traits, upstreamModel, thinks);
  if (messages !== undefined) changes["messages"] = messages;
  if (traits.refusesJsonSchema === true) putSchemaIntoWords(body, changes);
  return changes;
}

const NONE: readonly string[] = [];

function rename(body: Fields, names: Readonly<Record<string, string>>, changes: Record<string, unknown>): void {
  for (const [name, own] of Object.entries(names)) {
    if (!(name in body)) continue;
    changes[name] = undefined;
    if (body[name] != null && body[own] == null) changes[own] = body[name];
  }
}

/**
 * Converts `reasoning_effort` to the server's own fields. The client's own values of these stay; and for an unknown
 * server a translation does not disable reasoning, because many refuse an effort for a model without reasoning.
 */
function switchThinking(
  { body, model, upstreamModel, raw }: DialectCall,
  traits: ServerTraits,
  changes: Record<string, unknown>,
): void {
  const effort = body["reasoning_effort"];
  if (typeof effort !== "string") return;
  const how = traits.thinks?.find(([pattern]) => pattern.test(formatBareName(upstreamModel)))?.[1];
  if (how === undefined) {
    if (effort === "none" && raw === null && model === null) changes["reasoning_effort"] = undefined;
    return;
  }
  const isThoughtless = model !== null && model.reasoning === undefined;
  if (isThoughtless && how.by !== "effort") changes["reasoning_effort"] = undefined;
  else Object.assign(changes, applySwitch(effort, how, body, model?.reasoning?.efforts ?? NONE));
}

function applySwitch(effort: string, how: ThinkingSwitch, body: Fields, known: readonly string[]): Fields {
  switch (how.by) {
    case "effort": {
      if (how.on !== undefined) return { reasoning_effort: effort === "none" ? effort : how.on };
      const values = how.values ?? known;
      if (values.length === 0 || values.includes(effort)) return {};
      // A model that cannot disable reasoning keeps its default effort, because no client requested the minimum.
      return { reasoning_effort: effort === "none" ? undefined : (clampedEffort(effort, values) ?? undefined) };
    }
    case "thinking": {
      const isOwn = body["thinking"] !== undefined;
      const keepsEffort = how.effort === true && effort !== "none";
      return {
        ...(isOwn ? {} : { thinking: { type: effort === "none" ? "disabled" : (how.on ?? "enabled") } }),
        ...(keepsEffort ? {} : { reasoning_effort: undefined }),
      };
    }
    case "reasoning":
      if (body["reasoning"] !== undefined) return { reasoning_effort: undefined };
      return {
        reasoning: { enabled: effort !== "none" },
        ...(how.effort === true && effort !== "none" ? {} : { reasoning_effort: undefined }),
      };
    case "enable_thinking":
      if (known.length > 0) return {};
      return {
        reasoning_effort: undefined,
        ...(body["enable_thinking"] === undefined ? { enable_thinking: effort !== "none" } : {}),
      };
    case "template": {
      const settings = isRecord(body["chat_template_kwargs"]) ? body["chat_template_kwargs"] : {};
      const thinks = effort !== "none";
      return {
        ...(thinks ? {} : { reasoning_effort: undefined }),
        chat_template_kwargs: { enable_thinking: thinks, thinking: thinks, ...settings },
      };
    }
    case "none":
      return { reasoning_effort: undefined };
  }
}

function dropStrict(body: Fields, refuses: true | "mixed", changes: Record<string, unknown>): void {
  const { tools } = body;
  const strictOf = (tool: unknown): unknown =>
    isRecord(tool) && isRecord(tool["function"]) ? tool["function"]["strict"] : undefined;
  if (!Array.isArray(tools) || tools.every((tool) => strictOf(tool) === undefined)) return;
  if (refuses === "mixed" && tools.every((tool) => strictOf(tool) === true)) return;
  changes["tools"] = tools.map((tool: unknown) => {
    if (!isRecord(tool) || !isRecord(tool["function"])) return tool;
    const { strict: _strict, ...declared } = tool["function"];
    return { ...tool, function: declared };
  });
}

/** Tells whether a request, in a server's own fields, disables reasoning. */
function isOff({ thinking, enable_thinking: enabled }: Fields): boolean {
  return enabled === false || (isRecord(thinking) && thinking["type"] === "disabled");
}

function choosesFreely({ choosesFreely: models }: ServerTraits, model: string, thinks: boolean): boolean {
  const when = models?.find(([pattern]) => pattern.test(formatBareName(model)))?.[1];
  return when === "always" || (when === "thinking" && thinks);
}

/** Replaces a forced call, which the server refuses: the model may choose, and mostly makes the call anyway. */
function chooseFreely(body: Fields, changes: Record<string, unknown>): void {
  const { tool_choice: choice } = body;
  if (isRecord(choice) || choice === "required" || choice === "any") changes["tool_choice"] = "auto";
}

/** The tool that is named, alone, with the word that makes the model call one. */
function chooseByWord(body: Fields, changes: Record<string, unknown>): void {
  const { tool_choice: choice, tools } = body;
  if (!isRecord(choice)) return;
  const toolName = isRecord(choice["function"]) ? choice["function"]["name"] : undefined;
  const given: unknown = changes["tools"] ?? tools;
  const only = Array.isArray(given)
    ? given.filter(
        (tool: unknown) => isRecord(tool) && isRecord(tool["function"]) && tool["function"]["name"] === toolName,
      )
    : [];
  changes["tool_choice"] = only.length === 0 ? "auto" : "required";
  if (only.length > 0) changes["tools"] = only;
}

/** Puts a schema that the server cannot enforce into the prompt; the model responds in JSON at least. */
function putSchemaIntoWords(body: Fields, changes: Record<string, unknown>): void {
  const { response_format: format } = body;
  if (!isRecord(format) || format["type"] !== "json_schema") return;
  const schema = isRecord(format["json_schema"]) ? format["json_schema"]["schema"] : undefined;
  const words = `Respond with one JSON object and nothing else. It follows this JSON schema:\n${JSON.stringify(schema ?? {})}`;
  const messages: unknown = changes["messages"] ?? body["messages"];
  changes["response_format"] = { type: "json_object" };
  changes["messages"] = withInstruction(asList(messages), words);
}

function withInstruction(messages: readonly unknown[], words: string): readonly unknown[] {
  const [first, ...rest] = messages;
  if (isRecord(first) && first["role"] === "system" && typeof first["content"] === "string")
    return [{ ...first, content: `${first["content"]}\n\n${words}` }, ...rest];
  return [{ role: "system", content: words }, ...messages];
}
