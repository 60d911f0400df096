import { isRecord } from "../../lib/records.ts";
import { readRecord, readText } from "../messages-to-chat/fields.ts";
import { buildObjectSchema } from "../messages-to-chat/object-schema.ts";
import type { Document } from "../translation.ts";
import type { ClaudeModel } from "./claude-model.ts";
import { closedSchema } from "./closed-schema.ts";
import { isForced } from "./tools.ts";
import type { ClaudeTools } from "./tools.ts";

/** How `response_format` is sent to a Claude model: one of three ways, or not at all. */
export interface StructuredOutput {
  /** `output_config.format`. */
  readonly format: Document | null;
  /** A tool whose input is the response, for models without `output_config.format`. */
  readonly tool: Document | null;
  /** Sentence for `system`, used without a schema that constrains the model. */
  readonly instruction: string | null;
}

const PLAIN: StructuredOutput = { format: null, tool: null, instruction: null };

const JSON_ONLY = "Answer with one JSON object and nothing else: no text around it, and no code fence.";

/** @param tools the client's own, so that the response's tool gets another name. */
export function structuredOutput(given: unknown, claude: ClaudeModel, tools: ClaudeTools): StructuredOutput {
  const format = readRecord(given);
  if (format["type"] === "json_object") return { ...PLAIN, instruction: JSON_ONLY };
  if (format["type"] !== "json_schema") return PLAIN;
  const declared = readRecord(format["json_schema"]);
  const schema = declared["schema"];
  if (!isRecord(schema)) return { ...PLAIN, instruction: JSON_ONLY };
  if (claude.isAdaptive) return { ...PLAIN, format: { type: "json_schema", schema: closedSchema(schema) } };
  const description = readText(declared["description"]) ?? "Gives the answer. Its input is what the user is shown.";
  return { ...PLAIN, tool: { name: freeName(tools.tools), description, input_schema: buildObjectSchema(schema) } };
}

function freeName(tools: readonly Document[]): string {
  const names = new Set(tools.map((tool) => tool["name"]));
  let name = "answer_json";
  while (names.has(name)) name += "_";
  return name;
}

/**
 * Adds the response's tool to the client's. It is forced if it is the only one, or if the client wants no call; next to
 * tools that the model may choose, one of all tools is forced. A tool that the client itself forces comes first.
 */
export function withResponseTool({ tools, choice }: ClaudeTools, response: Document): ClaudeTools {
  if (isForced(choice)) return { tools, choice };
  const alone = tools.length === 0 || choice?.["type"] === "none";
  const parallel = choice?.["disable_parallel_tool_use"] === true || alone;
  return {
    tools: [...tools, response],
    choice: {
      ...(alone ? { type: "tool", name: response["name"] } : { type: "any" }),
      ...(parallel ? { disable_parallel_tool_use: true } : {}),
    },
  };
}
