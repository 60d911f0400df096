import * as z from "zod";

const count = z.number().int().nonnegative();

/**
 * The parts of a request's context: instructions, definitions of tools, results of tools and files, and all else of the
 * conversation. They add up to its input tokens, which are shared out by size.
 */
export const contextPartsSchema = z.object({ system: count, tools: count, results: count, messages: count });
export type ContextParts = z.infer<typeof contextPartsSchema>;
