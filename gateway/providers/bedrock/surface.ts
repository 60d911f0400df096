/** The dialect in which a model is served, and the path before its operation. */
interface Surface {
  readonly dialect: "chat" | "messages" | "responses";
  readonly path: string;
}

/**
 * Surfaces by the model's id; each model is refused on the others ("isn't supported on this route", "does not support
 * the '/v1/chat/completions' API"). Claude: Messages (https://docs.aws.amazon.com/bedrock/latest/userguide/inference-messages-api.html);
 * GPT from 5 on and Grok: Responses below `/openai/v1` (https://github.com/enricoros/big-AGI/pull/1167, 2026-08-04;
 * https://github.com/vertesia/llumiverse/pull/522, 2026-07-09); Gemma 4: chat below `/openai/v1`
 * (https://github.com/braintrustdata/lingua/pull/340, 2026-07-10). All read 2026-11-30.
 */
const SURFACES: readonly (readonly [model: RegExp, surface: Surface])[] = [
  [/^anthropic\./, { dialect: "messages", path: "/anthropic" }],
  [/^openai\.gpt-[5-9]|^xai\./, { dialect: "responses", path: "/openai/v1" }],
  [/^google\.gemma-4/, { dialect: "chat", path: "/openai/v1" }],
];

const USUAL: Surface = { dialect: "chat", path: "/v1" };

export const findSurface = (model: string): Surface => SURFACES.find(([pattern]) => pattern.test(model))?.[1] ?? USUAL;
