import * as z from "zod";
import { controlOperations, type ControlName, type ControlOutput } from "../../gateway/contract/control.ts";
import { nestedErrorSchema } from "../../gateway/contract/errors.ts";
import { gatewayEventSchema, type GatewayEvent } from "../../gateway/contract/events.ts";

/*
 * Schemas that validate the gateway's responses, in a separate file that is fetched during the first request, because
 * creating them takes as long as the rest of loading.
 */

type Understood<Name extends ControlName> =
  | { readonly ok: true; readonly data: ControlOutput<Name> }
  | { readonly ok: false; readonly where: string };

/** Returns the method and path of an operation. */
export function getRoute(name: ControlName): { readonly method: string; readonly path: string } {
  return controlOperations[name];
}

/** Validates a response; returns the first invalid path if it fails. */
export function understood<Name extends ControlName>(name: Name, body: unknown): Understood<Name> {
  const schema: z.ZodType = controlOperations[name].output;
  const result = schema.safeParse(body);
  if (result.success) return { ok: true, data: result.data as ControlOutput<Name> };
  return { ok: false, where: z.prettifyError(result.error).split("\n")[0] ?? "" };
}

/** Returns the error of a refusal; null without an envelope of the gateway. */
export function getRefusal(body: unknown): z.infer<typeof nestedErrorSchema>["error"] | null {
  const envelope = nestedErrorSchema.safeParse(body);
  return envelope.success ? envelope.data.error : null;
}

/** Parses an event; null for one of a newer gateway that these pages do not know. */
export function getEvent(frame: unknown): GatewayEvent | null {
  const event = gatewayEventSchema.safeParse(frame);
  return event.success ? event.data : null;
}
