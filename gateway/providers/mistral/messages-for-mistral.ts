import { sha256 } from "../../lib/ids.ts";
import { isRecord } from "../../lib/records.ts";
import { plainMessages } from "../openai-compatible/plain-messages.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Messages as Mistral takes them: `system` for `developer`, no `reasoning_content` of other providers
 * (https://github.com/charmbracelet/crush/issues/1590), and ids of calls that have its form.
 * @returns undefined where nothing has to change.
 */
export function mistralMessages(messages: unknown): readonly unknown[] | undefined {
  const plain = plainMessages(messages, ["reasoning_content", "reasoning"]);
  const given: readonly unknown[] = plain ?? (Array.isArray(messages) ? messages : []);
  const changed = given.map(withOwnIds);
  return changed.some((message, index) => message !== given[index]) ? changed : plain;
}

function withOwnIds(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { tool_call_id: answered, tool_calls: calls } = message;
  const changes: Record<string, unknown> = {};
  if (typeof answered === "string" && !OWN_ID.test(answered)) changes["tool_call_id"] = ownId(answered);
  if (Array.isArray(calls) && calls.some(hasOtherId)) changes["tool_calls"] = calls.map(renamed);
  return Object.keys(changes).length === 0 ? message : { ...message, ...changes };
}

/** "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9" (https://github.com/anomalyco/opencode/issues/1680). */
const OWN_ID = /^[a-zA-Z0-9]{9}$/;

const hasOtherId = (call: unknown): call is Fields & { readonly id: string } =>
  isRecord(call) && typeof call["id"] === "string" && !OWN_ID.test(call["id"]);

const renamed = (call: unknown): unknown => (hasOtherId(call) ? { ...call, id: ownId(call.id) } : call);

/** The same id for the same call, in every request that has it. */
const ownId = (id: string): string => sha256(id).slice(0, 9);
