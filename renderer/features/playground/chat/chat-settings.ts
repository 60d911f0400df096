import * as z from "zod";
import { buildMessages, type Conversation, type Place } from "./conversation.ts";

/** Texts typed next to a conversation; an empty text is "not given". */
export interface ChatSettings {
  readonly system: string;
  readonly temperature: string;
  readonly maxTokens: string;
  readonly seed: string;
  /** `reasoning_effort`. */
  readonly effort: string;
  readonly json: boolean;
  /** A JSON array of tool definitions. */
  readonly tools: string;
}

export const noSettings: ChatSettings = {
  system: "",
  temperature: "",
  maxTokens: "",
  seed: "",
  effort: "",
  json: false,
  tools: "",
};

export type SettingsFault = "number" | "whole" | "json" | "tools";
export type SettingsFaults = Partial<Record<"temperature" | "maxTokens" | "seed" | "tools", SettingsFault>>;

export type ReadSettings =
  | { readonly ok: true; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly faults: SettingsFaults };

const toolsSchema = z.array(
  z.looseObject({ type: z.string(), function: z.looseObject({ name: z.string().min(1) }).optional() }),
);

/**
 * Returns the settings as request fields. The gateway checks bounds; this only rejects unsendable values.
 * @param efforts efforts of the model (`ModelFacts.chat`): null if it has no reasoning
 */
export function readSettings(settings: ChatSettings, efforts: readonly string[] | null): ReadSettings {
  const faults: SettingsFaults = {};
  const number = (name: "temperature" | "maxTokens" | "seed", whole: boolean): number | undefined => {
    const text = settings[name].trim();
    if (text === "") return undefined;
    const value = Number(text);
    if (!Number.isFinite(value)) faults[name] = "number";
    else if (whole && !Number.isInteger(value)) faults[name] = "whole";
    return value;
  };
  const temperature = number("temperature", false);
  const most = number("maxTokens", true);
  const seed = number("seed", true);
  const tools = parseTools(settings.tools);
  if (tools === "json" || tools === "tools") faults.tools = tools;
  if (Object.keys(faults).length > 0) return { ok: false, faults };
  const fields = {
    temperature,
    // Thinking counts too there, and the old name is refused by some.
    ...(efforts === null ? { max_tokens: most } : { max_completion_tokens: most }),
    seed,
    reasoning_effort: efforts === null || settings.effort === "" ? undefined : settings.effort,
    response_format: settings.json ? { type: "json_object" } : undefined,
    tools,
  };
  return { ok: true, fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}

function parseTools(text: string): readonly unknown[] | "json" | "tools" | undefined {
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "json";
  }
  const tools = toolsSchema.safeParse(value);
  if (!tools.success) return "tools";
  return tools.data.length === 0 ? undefined : tools.data;
}

/** Builds the body of `POST /v1/chat/completions` for the next step at a place. */
export function chatBody(
  model: string,
  system: string,
  fields: Readonly<Record<string, unknown>>,
  conversation: Conversation,
  place: Place,
): Readonly<Record<string, unknown>> {
  return { model, messages: buildMessages(system, conversation, place), stream: true, ...fields };
}

/** A tool as an example. */
export const EXAMPLE_TOOLS = JSON.stringify(
  [
    {
      type: "function",
      function: {
        name: "get_weather",
        description: "The weather in a place right now.",
        parameters: {
          type: "object",
          properties: {
            city: { type: "string", description: "As Lisbon" },
            unit: { type: "string", enum: ["celsius", "fahrenheit"] },
          },
          required: ["city"],
        },
      },
    },
  ],
  null,
  2,
);
