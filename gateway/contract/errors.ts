import * as z from "zod";

/**
 * The error envelopes of the public API (docs/errors.md#envelopes). Every failing response of the
 * gateway parses with exactly one of these.
 */

/** `{error:{message,type,param,code}}`: all routes but the two families below. All four keys are always there. */
export const nestedErrorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});

/** `{code,message,request_id}`: the gamma-image family on `/v1/images/generations`. */
export const flatErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  request_id: z.string(),
});
export type FlatError = z.infer<typeof flatErrorSchema>;

/** Anthropic's own shape, on `/v1/messages*`. */
export const anthropicErrorSchema = z.object({
  type: z.literal("error"),
  error: z.object({ type: z.string(), message: z.string() }),
  request_id: z.string(),
});
export type AnthropicError = z.infer<typeof anthropicErrorSchema>;

/** JSON-RPC's, on `/mcp`. The gateway's own code and status are in `data`. */
export const jsonRpcErrorSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).nullable(),
  error: z.object({
    code: z.number().int(),
    message: z.string(),
    data: z.looseObject({ code: z.string(), status: z.number().int() }),
  }),
});

/** Google's, on `/v1beta`. `code` is the status of the response; `reason` of the detail `ErrorInfo` is the gateway's own code. */
export const googleErrorSchema = z.object({
  error: z.object({
    code: z.number().int(),
    message: z.string(),
    status: z.string(),
    details: z.array(z.looseObject({ "@type": z.string() })),
  }),
});

/** Ollama's, on `/api`. */
export const ollamaErrorSchema = z.object({ error: z.string() });

/** Which envelope a response wears. */
export type ErrorFamily = "nested" | "flat" | "anthropic" | "google" | "ollama" | "jsonrpc";
