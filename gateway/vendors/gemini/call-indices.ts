import { isRecord } from "../../lib/records.ts";

type Document = Readonly<Record<string, unknown>>;

/**
 * Numbers the tool calls of a stream as they come. Google's layer for OpenAI clients numbers parallel calls all 0, or not
 * at all (upstreams reference 4.5), and a client that puts pieces together by `index` makes one broken call of two.
 * @returns for one stream: an event in, the same event out where its numbers are right.
 */
export function numberCalls(): (event: Document) => Document {
  /** Ids of the calls so far, in order; by choice. */
  const known = new Map<unknown, unknown[]>();
  return (event) => {
    const { choices } = event;
    if (!Array.isArray(choices)) return event;
    let changed = false;
    const numbered = (choices as readonly unknown[]).map((choice) => {
      const right = isRecord(choice) ? numberedChoice(choice, known) : choice;
      changed ||= right !== choice;
      return right;
    });
    return changed ? { ...event, choices: numbered } : event;
  };
}

function numberedChoice(choice: Document, known: Map<unknown, unknown[]>): Document {
  const { delta } = choice;
  if (!isRecord(delta) || !Array.isArray(delta["tool_calls"])) return choice;
  const ids = known.get(choice["index"]) ?? [];
  known.set(choice["index"], ids);
  let changed = false;
  const calls = (delta["tool_calls"] as readonly unknown[]).map((call) => {
    if (!isRecord(call)) return call;
    const index = indexOf(call, ids);
    if (call["index"] === index) return call;
    changed = true;
    return { ...call, index };
  });
  return changed ? { ...choice, delta: { ...delta, tool_calls: calls } } : choice;
}

/** A call comes whole and has an id; a piece without a new id belongs to the call before it. */
function indexOf(call: Document, ids: unknown[]): number {
  const { id } = call;
  if (typeof id !== "string" || id === "") return Math.max(0, ids.length - 1);
  const place = ids.indexOf(id);
  return place >= 0 ? place : ids.push(id) - 1;
}
