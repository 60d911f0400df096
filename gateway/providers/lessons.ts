import { asList, isRecord } from "../lib/records.ts";
import type { ProviderError } from "../core/attempts/provider-error.ts";
import type { Fields, ServerTraits } from "./server-traits.ts";

/**
 * A fact learned from a server's refusals, in stored form: a keyword, and a field name if it has one. `without` a
 * field, `message` without a field of messages, `bound` by that field only, `thoughts` (`none` are returned, or one is
 * `needed`), `choice` of a tool (by `word`, or `free`), `strict`, `schema` and `system` are as in {@link ServerTraits}.
 */
export type Lesson = string;

/** Statuses of a request that certainly was not executed. */
const REFUSED = new Set([400, 422]);
/** Fields without which there is no request. */
const NEEDED = new Set(["model", "messages", "stream", "tools"]);
const WORDS_OF_REFUSAL =
  /unknown|unsupported|not support|unrecogni[sz]ed|not (?:permitted|allowed|accepted|available)|extra|unexpected|invalid|forbidden|unavailable|cannot find field|should be|must be|missing|required/i;
const WORDS_OF_NEED = /missing|required|must be (?:passed|provided|present|included)|passed back/i;
const IN_MESSAGES = ["reasoning_content", "reasoning_details", "reasoning", "annotations", "refusal", "name"] as const;

/**
 * Derives a lesson from a refusal: a field written by Postern's translation that the server refuses.
 * @param body in the server's dialect @param own fields that the client did not write itself; null: all, because it was
 * translated
 * @returns null if it names none of them, or nothing new
 */
export function readLesson(
  error: Pick<ProviderError, "status" | "message" | "param">,
  body: Fields,
  own: readonly string[] | null,
  known: readonly Lesson[],
): Lesson | null {
  if (!REFUSED.has(error.status) || !WORDS_OF_REFUSAL.test(error.message)) return null;
  const text = `${error.param ?? ""} ${error.message}`;
  const found = own === null ? findLessons(text, body) : own.filter((name) => hasName(text, name)).map(without);
  return found.find((lesson) => !known.includes(lesson)) ?? null;
}

/** Nested fields that a Responses request may omit: summaries are only for verified organisations. */
const INNER = ["reasoning.summary", "text.verbosity"];
const NEEDED_IN_RESPONSES = new Set([...NEEDED, "input", "reasoning", "text"]);

/** Reads like {@link readLesson} from a translated request in OpenAI's Responses dialect; its errors name the field. */
export function readResponsesLesson(
  error: Pick<ProviderError, "status" | "message" | "param">,
  body: Fields,
  known: readonly Lesson[],
): Lesson | null {
  const { param, status } = error;
  if (param === null || !REFUSED.has(status) || !WORDS_OF_REFUSAL.test(error.message)) return null;
  const isThere = INNER.includes(param) || (param in body && !NEEDED_IN_RESPONSES.has(param));
  const lesson = without(param);
  return isThere && !known.includes(lesson) ? lesson : null;
}

/** Returns the changes that drop refused fields from a request in the Responses dialect. */
export function withoutLearned(body: Fields, lessons: readonly Lesson[] | undefined): Fields {
  const changes: Record<string, unknown> = {};
  for (const lesson of lessons ?? []) {
    const [word, path = ""] = lesson.split(" ");
    if (word !== "without") continue;
    const [name = "", inner] = path.split(".");
    const value = changes[name] ?? body[name];
    if (inner === undefined) {
      if (name in body) changes[name] = undefined;
    } else if (isRecord(value) && inner in value) changes[name] = { ...value, [inner]: undefined };
  }
  return changes;
}

const without = (field: string): Lesson => `without ${field}`;

function findLessons(text: string, body: Fields): readonly Lesson[] {
  const messages = asList(body["messages"]);
  const inMessages = IN_MESSAGES.filter(
    (name) => hasName(text, name) && messages.some((message) => isRecord(message) && name in message),
  );
  const needsThought = hasName(text, "reasoning_content") && WORDS_OF_NEED.test(text);
  const named = Object.keys(body).filter((name) => !NEEDED.has(name) && hasName(text, name));
  return [
    ...(needsThought ? ["thoughts needed"] : inMessages.map(readMessageLesson)),
    // The longer of `max_tokens` and `max_completion_tokens` is used if both are named.
    ...named
      .toSorted((one, other) => findName(text, one) - findName(text, other))
      .flatMap((name) => listLessons(name, body)),
    ...(hasName(text, "strict") ? ["strict"] : []),
    ...(/system/i.test(text) && /beginning|first|start/i.test(text) ? ["system"] : []),
  ];
}

function readMessageLesson(name: string): Lesson {
  return name.startsWith("reasoning") ? "thoughts none" : `message ${name}`;
}

function listLessons(name: string, body: Fields): readonly Lesson[] {
  switch (name) {
    case "max_tokens":
      return ["bound max_completion_tokens"];
    case "max_completion_tokens":
      return ["bound max_tokens"];
    case "tool_choice":
      return isRecord(body["tool_choice"]) ? ["choice word", "choice free"] : ["choice free", without(name)];
    case "response_format":
      return ["schema", without(name)];
    default:
      return [without(name)];
  }
}

/** Tells whether a name occurs in a text as a whole word: `max_tokens` does not in `max_completion_tokens`. */
function hasName(text: string, name: string): boolean {
  return findName(text, name) !== -1;
}

function findName(text: string, name: string): number {
  return text.search(new RegExp(`(?<![A-Za-z_])${name}(?![A-Za-z_])`));
}

const merged = new WeakMap<ServerTraits, Map<string, ServerTraits>>();
/** Max merged rows per row; more only occur if a server contradicts itself. */
const MOST_MERGED = 100;

/** Merges lessons into a row. @returns the same object for the same lessons */
export function withLessons(traits: ServerTraits, lessons: readonly Lesson[] | undefined): ServerTraits {
  if (lessons === undefined || lessons.length === 0) return traits;
  const key = lessons.join("\n");
  const known = merged.get(traits) ?? new Map<string, ServerTraits>();
  const found = known.get(key);
  if (found !== undefined) return found;
  const row = lessons.reduce(withLesson, traits);
  if (known.size < MOST_MERGED) merged.set(traits, known.set(key, row));
  return row;
}

function withLesson(traits: ServerTraits, lesson: Lesson): ServerTraits {
  const [word = "", name = ""] = lesson.split(" ");
  switch (word) {
    case "without":
      return { ...traits, refused: [...(traits.refused ?? []), name] };
    case "message":
      return { ...traits, refusedInMessages: [...(traits.refusedInMessages ?? []), name] };
    case "bound":
      return { ...traits, bound: [name === "max_tokens" ? name : "max_completion_tokens"], refusesOtherBound: true };
    case "thoughts":
      return name === "needed"
        ? { ...traits, thoughts: "reasoning_content", needsThoughts: [[/^/, "turn"]] }
        : { ...traits, thoughts: "none" };
    case "choice":
      return name === "word" ? { ...traits, choosesByWord: true } : { ...traits, choosesFreely: [[/^/, "always"]] };
    case "strict":
      return { ...traits, refusesStrict: true };
    case "schema":
      return { ...traits, refusesJsonSchema: true };
    case "system":
      return { ...traits, systemFirst: true };
    default:
      return traits;
  }
}
