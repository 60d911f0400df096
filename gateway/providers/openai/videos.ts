import { isRecord } from "../../lib/records.ts";
import { videos as compatible } from "../openai-compatible/videos.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import { byId, readMoment, readOperation, readSeconds, readText } from "../video-figures.ts";
import type { ListedTask } from "../../core/tasks/task-match.ts";
import type { VideoBatch, VideoListQuery, VideoListing, VideosAdapter } from "../videos.ts";

/** Max items of a page (https://developers.openai.com/api/reference/resources/videos/methods/list). */
const PAGE_SIZE = 100;

/** The project's videos, the newest first, whatever their model and state. */
const listing: VideoListing = {
  toRequest: ({ page }, secret) => ({
    method: "GET",
    path: `/videos?limit=${PAGE_SIZE}&order=desc${page === null ? "" : `&after=${encodeURIComponent(page)}`}`,
    headers: buildBearerHeaders(secret),
    body: null,
  }),
  fromResponse: (body, query) => {
    const rows = readRows(body);
    if (rows === null || !isRecord(body)) return null;
    const tasks = rows.flatMap((row) => readRow(row, query));
    const last = tasks.at(-1);
    const further = body["has_more"] === true && last !== undefined && (last.createdAt ?? Infinity) >= query.from;
    return { tasks, next: further ? last.id : null };
  },
};

/** A row of the list has the same data as a query for one task. Polled tasks are usually on its first page. */
const batch: VideoBatch = {
  most: PAGE_SIZE,
  toRequest: (_operations, secret) => ({
    method: "GET",
    path: `/videos?limit=${PAGE_SIZE}&order=desc`,
    headers: buildBearerHeaders(secret),
    body: null,
  }),
  fromResponse: (body) => byId(readRows(body)),
};

/** Sora: the common dialect is OpenAI's own, and it has a list. */
export const videos: VideosAdapter = { ...compatible, listing, batch };

const readRows = (body: unknown): readonly unknown[] | null =>
  isRecord(body) && Array.isArray(body["data"]) ? body["data"] : null;

function readRow(row: unknown, { upstreamModel }: VideoListQuery): readonly ListedTask[] {
  const operation = isRecord(row) ? readOperation(row["id"]) : null;
  if (!isRecord(row) || operation === null) return [];
  const model = readText(row["model"]);
  // A model may be listed by the name of its snapshot.
  const isRequestedModel = model !== null && removeDate(model) === removeDate(upstreamModel);
  return [
    {
      id: operation.id,
      upstreamModel: isRequestedModel ? upstreamModel : model,
      createdAt: readMoment(row["created_at"]),
      seconds: readSeconds(row["seconds"]),
      // `size` is in pixels, not a billing tier.
      resolution: null,
      seed: null,
    },
  ];
}

const removeDate = (model: string): string => model.replace(/-\d{4}-\d\d-\d\d$/, "");
