import { findModel } from "../../../gateway/catalog/lookup.ts";
import type { ImagesCall } from "../../../gateway/providers/images.ts";
import type { VideoCall } from "../../../gateway/providers/videos.ts";
import type { DialectCall, WireRequest } from "../../../gateway/providers/wire-request.ts";

/** A call as the story hands it to an adapter: the client's bytes, what they say, and the catalog's model. */
export function dialectCall(body: Readonly<Record<string, unknown>>, change: Partial<DialectCall> = {}): DialectCall {
  const id = String(body["model"]);
  const model = findModel(id) ?? null;
  return {
    raw: Buffer.from(JSON.stringify(body)),
    body,
    changed: false,
    upstreamModel: model?.upstreamId ?? model?.id ?? id,
    model,
    stream: body["stream"] === true,
    headers: {},
    origin: "https://provider.example",
    bound: null,
    ...change,
  };
}

export function imagesCall(body: Readonly<Record<string, unknown>>): ImagesCall {
  const { raw, upstreamModel, model } = dialectCall(body);
  return { raw, body, upstreamModel, model, stream: false, bound: null };
}

/** An order on its way to a provider, of a model that only the provider knows. */
export function videoCall(upstreamModel: string, body: Readonly<Record<string, unknown>>): VideoCall {
  return { body, upstreamModel, model: null };
}

/** What goes over the wire, parsed. */
export function bodyOf(wire: WireRequest): Record<string, unknown> {
  return JSON.parse(String(wire.body)) as Record<string, unknown>;
}
