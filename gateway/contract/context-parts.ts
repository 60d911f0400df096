import * as z from "zod";

const count = z.number().int().nonnegative();

/**
 * Of what the context of a request is made: instructions, definitions of tools, what tools and files gave, and all else of
 * the conversation. They add up to its input tokens, which are shared out by size.
 */
export const contextPartsSchema = z.object({ system: count, tools: count, results: count, messages: count });
export type ContextParts = z.infer<typeof contextPartsSchema>;
