import * as z from "zod";

const count = z.number().int().nonnegative();

/**
 * The parts of a request's context: instructions, tool definitions, tool results and files, and the rest of the
 * conversation. Their sum is the input tokens, which are divided by size.
 */
export const contextPartsSchema = z.object({ system: count, tools: count, results: count, messages: count });
export type ContextParts = z.infer<typeof contextPartsSchema>;
