import type { BoundField } from "./output-bound.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The field that controls how much a model thinks. */
export type ThinkingSwitch =
  /**
   * `reasoning_effort`, with these values; without a list the catalog's, or unchanged. `on`: the single value for every
   * effort but none.
   */
  | { readonly by: "effort"; readonly values?: readonly string[]; readonly on?: string }
  /** `thinking: {type}`, with `enabled` or another value; `effort`: `reasoning_effort` sets the amount in addition. */
  | { readonly by: "thinking"; readonly effort?: true; readonly on?: "adaptive" }
  /** `reasoning: {enabled}`; `effort`: `reasoning_effort` sets the amount in addition. */
  | { readonly by: "reasoning"; readonly effort?: true }
  /** `enable_thinking`: yes or no. */
  | { readonly by: "enable_thinking" }
  /** `chat_template_kwargs`, which the model's template reads under either of two names. */
  | { readonly by: "template" }
  /** Nothing that it takes. */
  | { readonly by: "none" };

/** Field in which a server accepts reasoning of earlier turns; `any`: unchanged; `none`: it refuses all. */
export type ThoughtField = "reasoning_content" | "reasoning" | "reasoning_details" | "any" | "none";

/**
 * Traits in which chat servers differ (`POST /chat/completions`). A known server is a row of server-table.ts, each entry
 * with its source; a missing trait is as for an unknown server.
 */
export interface ServerTraits {
  /** Fields that bound the whole response: a single older one is used whether money is limited or not. */
  readonly bound?: readonly BoundField[];
  /** It refuses the older field. */
  readonly refusesOtherBound?: true;
  /** Top-level fields that it refuses or ignores. */
  readonly refused?: readonly string[];
  /** The same, depending on the model. */
  readonly refusedFor?: (model: string) => readonly string[];
  /** Top-level fields that have another name here. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Fields of messages that it refuses. */
  readonly refusedInMessages?: readonly string[];
  /** The thinking switch of the first pattern that the model's name matches. */
  readonly thinks?: readonly (readonly [model: RegExp, how: ThinkingSwitch])[];
  readonly thoughts?: ThoughtField;
  /** The thought field for models whose name matches. */
  readonly thoughtsOf?: readonly [model: RegExp, field: ThoughtField];
  /**
   * Messages that it refuses without reasoning, which get {@link NO_THOUGHT} if they have none: all messages of turns
   * with calls (`turn`), or only the messages with calls (`calls`).
   */
  readonly needsThoughts?: readonly (readonly [model: RegExp, where: "turn" | "calls"])[];
  /** Models that choose by themselves whether they call a tool: always, or while they think. */
  readonly choosesFreely?: readonly (readonly [model: RegExp, when: "always" | "thinking"])[];
  /** Header that identifies the conversation. */
  readonly sessionHeader?: string;
  /**
   * It accepts reasoning as content parts (Mistral); other models' reasoning is converted for models whose name
   * matches.
   */
  readonly thoughtParts?: RegExp;
  /** It accepts Google's `extra_content` in calls, and requires it from models whose name matches. */
  readonly takesSignatures?: true;
  /** Whether it supports the role `developer`. */
  readonly takesDeveloper?: true;
  /** System messages are only allowed at the start: others become the user's. */
  readonly systemFirst?: true;
  /** It refuses a user's message right after a tool's: a message of the model comes between them. */
  readonly bridgesResults?: true;
  /** Content that is all text is one text, not a list of parts. */
  readonly wantsTexts?: true;
  /** User and assistant must alternate: consecutive messages of one role are joined. */
  readonly alternates?: true;
  /** Content of a turn with calls must be a string, at least an empty one. */
  readonly wantsContent?: true;
  /** Ids of calls have this form; others are made into one. */
  readonly callIds?: { readonly is: RegExp; readonly make: (id: string) => string };
  /** `tool_choice` must be a string: a forced tool is sent as the only one. */
  readonly choosesByWord?: true;
  /** It refuses `strict` in functions; `mixed`: unless all of them are strict. */
  readonly refusesStrict?: true | "mixed";
  /** `response_format` supports at most `json_object`: a schema is described in text. */
  readonly refusesJsonSchema?: true;
}

/** The thought for a server that requires one, if the message has no thought; an empty one counts as missing. */
export const NO_THOUGHT = " ";

/** Returns a model's name without provider prefixes: `openai/gpt-5.6` becomes `gpt-5.6`. */
export function formatBareName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1).toLowerCase();
}

export type { Fields };
