import * as z from "zod";
import { mcpCallSchema } from "./mcp.ts";
import { receiptSchema } from "./receipt.ts";
import { taskRowSchema } from "./tasks.ts";

/** Pushed to the pages as `data: {…}` frames of `GET /control/events`. Names are noun-participle. */
export const gatewayEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("request.settled"), receipt: receiptSchema }),
  /** Emitted at most twice a second. */
  z.object({ type: z.literal("traffic.changed"), in_flight: z.number().int().nonnegative() }),
  z.object({ type: z.literal("task.changed"), task: taskRowSchema }),
  /** A result was added to the library, removed, or restored. */
  z.object({ type: z.literal("media.changed") }),
  /** A tool call started, progressed, or ended. */
  z.object({ type: z.literal("mcp.called"), call: mcpCallSchema }),
  z.object({ type: z.literal("webhooks.changed") }),
  z.object({ type: z.literal("keys.changed") }),
  z.object({ type: z.literal("budgets.changed") }),
  z.object({ type: z.literal("connections.changed") }),
  /** An alias or a price of the owner's is another. */
  z.object({ type: z.literal("models.changed") }),
  z.object({ type: z.literal("settings.changed") }),
  z.object({ type: z.literal("notices.changed") }),
]);
export type GatewayEvent = z.infer<typeof gatewayEventSchema>;
