/** What strict chat servers refuse, as rules that their fakes are put together from (`server.ts`). */
export type Json = Readonly<Record<string, unknown>>;

/** A request as the fake of a server sees it. */
export interface SentRequest {
  readonly body: Json;
  readonly model: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether the model thinks when asked so. */
  readonly isThinking: boolean;
  /** What the server showed of its thinking in this conversation: exactly that has to come back where it wants it. */
  readonly shown: readonly string[];
}

/** Why a request is refused, in the server's own words; null where it is taken. */
export type Rule = (request: SentRequest) => string | null;

/** A value as a word to compare or to show. */
export const wordOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

export const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const recordsOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);

export const messagesOf = ({ body }: Pick<SentRequest, "body">): readonly Json[] => recordsOf(body["messages"]);

export const hasCalls = (message: Json): boolean => recordsOf(message["tool_calls"]).length > 0;

/** Fields that every chat server takes, but for how the response is bounded. */
export const COMMON = [
  "model messages tools tool_choice stream stream_options temperature top_p stop response_format",
  "max_tokens max_completion_tokens seed frequency_penalty presence_penalty",
].flatMap((line) => line.split(" "));

/** Fields of OpenAI's own house: no one else has to know them. */
export const OPENAI_OWN = [
  "prompt_cache_key prompt_cache_retention prompt_cache_options safety_identifier verbosity store metadata",
  "service_tier user prediction web_search_options modalities audio moderation",
].flatMap((line) => line.split(" "));

/** Only these fields. @param word what the server says of another one */
export function takeOnly(fields: readonly string[], word: (field: string) => string): Rule {
  const known = new Set(fields);
  return ({ body }) => {
    const strange = Object.keys(body).find((field) => !known.has(field));
    return strange === undefined ? null : word(strange);
  };
}

export function refuseFields(fields: readonly string[], word: (field: string) => string): Rule {
  return ({ body }) => {
    const refused = fields.find((field) => field in body);
    return refused === undefined ? null : word(refused);
  };
}

/** Only these fields in messages of each role. */
export function takeInMessages(fields: readonly string[], word: (field: string, at: number) => string): Rule {
  const known = new Set(fields);
  return (request) => {
    for (const [at, message] of messagesOf(request).entries()) {
      const strange = Object.keys(message).find((field) => !known.has(field));
      if (strange !== undefined) return word(strange, at);
    }
    return null;
  };
}

export function refuseInMessages(fields: readonly string[], word: (field: string, at: number) => string): Rule {
  return (request) => {
    for (const [at, message] of messagesOf(request).entries()) {
      const refused = fields.find((field) => field in message);
      if (refused !== undefined) return word(refused, at);
    }
    return null;
  };
}

export function refuseRole(role: string, word: string): Rule {
  return (request) => (messagesOf(request).some((message) => message["role"] === role) ? word : null);
}

const isSystem = ({ role }: Json): boolean => role === "system" || role === "developer";

/** One system message, and before all others. */
export function wantSystemFirst(word: string): Rule {
  return (request) => (messagesOf(request).some((message, at) => at > 0 && isSystem(message)) ? word : null);
}

/** Efforts that a server takes, for the models that match. */
export function takeEfforts(models: RegExp, efforts: readonly string[], word: (effort: string) => string): Rule {
  return ({ body, model }) => {
    const effort = body["reasoning_effort"];
    return !models.test(model) || effort === undefined || efforts.includes(wordOf(effort))
      ? null
      : word(wordOf(effort));
  };
}

type Choice = "named" | "required" | "auto" | "none";

const choiceOf = ({ tool_choice }: Json): Choice | null =>
  tool_choice === undefined
    ? null
    : isRecord(tool_choice)
      ? "named"
      : (wordOf(tool_choice).replace("any", "required") as Choice);

/** Tools that may not be asked for so. @param when for which requests; all unless said */
export function refuseChoices(
  choices: readonly Choice[],
  word: string,
  when: (request: SentRequest) => boolean = () => true,
): Rule {
  return (request) => {
    const choice = choiceOf(request.body);
    return choice !== null && choices.includes(choice) && when(request) ? word : null;
  };
}

/** Ids of calls in this shape, and a result for each call. */
export function takeIds(shape: RegExp, word: string): Rule {
  return (request) =>
    messagesOf(request).some((message) =>
      [...recordsOf(message["tool_calls"]).map(({ id }) => id), message["tool_call_id"] ?? null].some(
        (id) => id !== null && !shape.test(wordOf(id)),
      ),
    )
      ? word
      : null;
}

export function refuseFormat(types: readonly string[], word: string): Rule {
  return ({ body }) => {
    const format = body["response_format"];
    return isRecord(format) && types.includes(String(format["type"])) ? word : null;
  };
}

/** Contents as plain strings in messages of these roles. */
export function wantStrings(roles: readonly string[], word: string): Rule {
  return (request) =>
    messagesOf(request).some(({ role, content }) => roles.includes(String(role)) && Array.isArray(content))
      ? word
      : null;
}

/** Functions as a server takes them. */
export function checkFunctions(isTaken: (fn: Json) => boolean, word: string): Rule {
  return ({ body }) =>
    recordsOf(body["tools"]).every((tool) => isRecord(tool["function"]) && isTaken(tool["function"])) ? null : word;
}

/** The messages of each turn: from a user's message to the next. */
export function turnsOf(messages: readonly Json[]): readonly (readonly (readonly [Json, number])[])[] {
  const turns: [Json, number][][] = [[]];
  for (const [at, message] of messages.entries()) {
    if (message["role"] === "user") turns.push([]);
    turns.at(-1)?.push([message, at]);
  }
  return turns;
}

/** What was thought, with every message that has calls, or with all of a turn that has any. */
export function wantThoughts(
  field: string,
  where: "calls" | "turns",
  isTaken: (thought: unknown, request: SentRequest) => boolean,
  word: (at: number) => string,
  when: (request: SentRequest) => boolean = ({ isThinking }) => isThinking,
): Rule {
  return (request) => {
    if (!when(request)) return null;
    for (const turn of turnsOf(messagesOf(request))) {
      const isCalling = turn.some(([message]) => hasCalls(message));
      for (const [message, at] of turn) {
        const isRequested = message["role"] === "assistant" && (where === "calls" ? hasCalls(message) : isCalling);
        if (isRequested && !isTaken(message[field], request)) return word(at);
      }
    }
    return null;
  };
}

/** Everything that the server showed of its thinking, somewhere in the messages. */
export function wantShown(word: string): Rule {
  return (request) => {
    const text = JSON.stringify(request.body["messages"]);
    return request.shown.every((thought) => text.includes(thought)) ? null : word;
  };
}

/** A rule for some of a server's models. */
export const forModels =
  (models: RegExp, rule: Rule): Rule =>
  (request) =>
    models.test(request.model) ? rule(request) : null;
