import type { MediaView } from "../../../gateway/contract/media.ts";
import { toTsv, usdCell } from "../../lib/csv.ts";
import { codeSample } from "../../lib/samples/code-sample.ts";
import type { SampleRequest } from "../../lib/samples/sample-request.ts";
import type { Messages } from "../../locales/messages.ts";

/** Results as JSON: everything that is known of them, without links, which expire. */
export function mediaJson(views: readonly MediaView[]): string {
  const lasting = views.map(({ link: _link, link_expires_at: _expires, poster: _poster, ...known }) => known);
  return JSON.stringify(lasting.length === 1 ? lasting[0] : lasting, null, 2);
}

/** Results as lines for a spreadsheet, with a heading. */
export function mediaTsv(views: readonly MediaView[], t: Messages): string {
  const words = t.library;
  const heading = [
    words.saved,
    words.kind,
    words.model,
    words.provider,
    words.prompt,
    words.parameters,
    words.costOf,
    words.requestId,
    words.file,
  ];
  const lines = views.map(({ at, kind, origin, path }) => [
    new Date(at).toISOString(),
    words.kindOf[kind],
    origin?.model ?? "",
    origin?.provider ?? "",
    origin?.prompt ?? "",
    origin === null ? "" : JSON.stringify(origin.parameters),
    origin === null || origin.nano === null ? "" : usdCell(origin.nano),
    origin?.request_id ?? "",
    path,
  ]);
  return toTsv([heading, ...lines]);
}

/** Endpoints with JSON requests, and their prompt field. */
const requests: Readonly<Record<string, { readonly path: string; readonly prompt: string }>> = {
  images: { path: "/v1/images/generations", prompt: "prompt" },
  speech: { path: "/v1/audio/speech", prompt: "input" },
  videos: { path: "/v1/videos/generations", prompt: "prompt" },
};

/** Returns the request that made a result; null without an origin, and for image edits, whose files are not stored. */
export function getRequest({ origin }: Pick<MediaView, "origin">): SampleRequest | null {
  const known = origin !== null && Object.hasOwn(requests, origin.endpoint) ? requests[origin.endpoint] : undefined;
  if (origin === null || known === undefined) return null;
  return { path: known.path, body: { model: origin.model, [known.prompt]: origin.prompt, ...origin.parameters } };
}

/**
 * Returns the requests that made results, as commands; one for each request, however many results it made. Empty if no
 * request is known.
 * @param origin where Postern listens, as http://127.0.0.1:6174
 */
export function mediaCurl(views: readonly MediaView[], origin: string): string {
  const made = new Map(views.map((view) => [view.origin?.request_id, getRequest(view)]));
  return [...made.values()]
    .flatMap((request) => (request === null ? [] : [codeSample("curl", origin, request)]))
    .join("\n\n");
}
