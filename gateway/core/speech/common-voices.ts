/** OpenAI's, which the specification calls those of the common chat-API style (docs/contract.md#speech). */
export const COMMON_VOICES = [
  "alloy",
  "ash",
  "ballad",
  "coral",
  "echo",
  "fable",
  "nova",
  "onyx",
  "sage",
  "shimmer",
  "verse",
  "marin",
  "cedar",
] as const;
