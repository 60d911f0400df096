import { getBody, type Exchange, getModel, prepare, providersId, type Route, sendJson } from "./exchange.ts";
import { getRecord, getText } from "./fields.ts";
import { createSeed } from "./seed.ts";
import { asList } from "../lib/records.ts";

/** A provider's categories, and words by which the sandbox detects some of them. */
export interface ModerationDialect {
  readonly categories: Readonly<Record<string, RegExp | null>>;
  /** Whether a result has a flag of its own. */
  readonly flags: boolean;
}

/** `POST …/moderations` as a provider has it (docs/providers/openai.md#moderations). */
export function moderationsRoute(dialect: ModerationDialect): Route {
  return { method: "POST", path: "/v1/moderations", handle: (exchange) => respond(exchange, dialect) };
}

async function respond(exchange: Exchange, dialect: ModerationDialect): Promise<void> {
  const { model, input } = getBody(exchange);
  const spec = getModel(exchange, model, "moderation");
  const texts = getTexts(input);
  if ((await prepare(exchange, texts.join("\n"))) === null) return;
  const seed = createSeed(exchange.body);
  const results = texts.map((text) => moderateText(text, dialect));
  sendJson(exchange, { id: `modr-${seed.digits("id", 24)}`, model: providersId(spec), results });
}

/** Texts are judged separately, the parts of one input together. */
function getTexts(input: unknown): readonly string[] {
  const list = asList(input);
  if (list.every((item) => typeof item === "string")) return list.length > 0 ? list : [String(input)];
  return [list.map((item) => getText(getRecord(item)["text"]) ?? "").join("\n")];
}

/** Scores depend on the text: detected categories are near one, all others near zero. */
function moderateText(text: string, { categories, flags }: ModerationDialect): object {
  const seed = createSeed(text);
  const found = Object.entries(categories).map(([name, words]) => [name, words?.test(text) === true] as const);
  const scores = found.map(([name, isFound]) => [name, (isFound ? 0.9 : 0) + seed.number(name, 1_000) / 1e5]);
  return {
    ...(flags ? { flagged: found.some(([, isFound]) => isFound) } : {}),
    categories: Object.fromEntries(found),
    category_scores: Object.fromEntries(scores),
    ...(flags ? { category_applied_input_types: Object.fromEntries(found.map(([name]) => [name, ["text"]])) } : {}),
  };
}

const VIOLENCE = /\b(kill|murder|shoot|stab)\w*/i;
const SELF_HARM = /\b(suicide|self-harm|kill myself|hurt myself)\b/i;
const HATE = /\b(hate (them|all of them|those people))\b/i;

/** OpenAI's categories. */
export const OPENAI_MODERATION: ModerationDialect = {
  categories: {
    harassment: /\byou (idiot|moron)\b/i,
    "harassment/threatening": null,
    sexual: null,
    hate: HATE,
    "hate/threatening": null,
    illicit: /\b(build a bomb|steal a car)\b/i,
    "illicit/violent": null,
    "self-harm/intent": SELF_HARM,
    "self-harm/instructions": null,
    "self-harm": SELF_HARM,
    "sexual/minors": null,
    violence: VIOLENCE,
    "violence/graphic": null,
  },
  flags: true,
};

/** Mistral's, which leaves thresholds to its clients (https://docs.mistral.ai/capabilities/guardrailing). */
export const MISTRAL_MODERATION: ModerationDialect = {
  categories: {
    sexual: null,
    hate_and_discrimination: HATE,
    violence_and_threats: VIOLENCE,
    dangerous_and_criminal_content: /\b(build a bomb|steal a car)\b/i,
    selfharm: SELF_HARM,
    health: null,
    financial: null,
    law: null,
    pii: /\b\d{3}-\d{2}-\d{4}\b/,
  },
  flags: false,
};
