import * as z from "zod";
import { rebuildingSchema } from "./list.ts";

export const mediaKindSchema = z.enum(["image", "audio", "video"]);

/** Origin of a result, stored in its sidecar. */
export const mediaOriginSchema = z.object({
  /** Id as in `x-request-id`, and of the receipt. */
  request_id: z.string(),
  /** Id of the requesting local key. */
  key: z.string(),
  /** Endpoint as in receipts: `speech`, `images`, `edits`. */
  endpoint: z.string(),
  /** The public model id. */
  model: z.string(),
  /** Provider as in `x-postern-provider`. */
  provider: z.string(),
  /** Cut when it is very long. */
  prompt: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  seed: z.number().nullable(),
  /** 10⁻⁹ USD of the whole call, which may have made several results; null when unpriced. */
  nano: z.number().int().nonnegative().nullable(),
  sandbox: z.boolean(),
});
export type MediaOriginRecord = z.infer<typeof mediaOriginSchema>;

/** A result in the library. Times are Unix milliseconds. */
export const mediaEntrySchema = z.object({
  id: z.string(),
  /** When it was saved. */
  at: z.number().int(),
  kind: mediaKindSchema,
  /** Media type, by the file's own bytes. */
  type: z.string(),
  bytes: z.number().int().nonnegative(),
  sha256: z.string(),
  /** Pixels; null if it has no pixels or they are not known. */
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** Milliseconds; null if there is no duration or it is unknown. */
  duration_ms: z.number().int().nullable(),
  /** Null if its sidecar was lost and rebuilt from the file. */
  origin: mediaOriginSchema.nullable(),
});
export type MediaEntry = z.infer<typeof mediaEntrySchema>;

/** An entry in the control API: with a fresh signed link. */
export const mediaViewSchema = mediaEntrySchema.extend({
  /** False when the file was found missing; the entry stays. */
  available: z.boolean(),
  /** Path and query below Postern's own address; works without a key until `link_expires_at`. */
  link: z.string(),
  link_expires_at: z.number().int(),
  /** Link to the preview image of a video; null without one. */
  poster: z.string().nullable(),
  /** Path of the file on this machine, for "show file". */
  path: z.string(),
});
export type MediaView = z.infer<typeof mediaViewSchema>;

const moment = z.coerce.number().int().min(0).max(8.64e15);

/** Query of `GET /control/media`. `before` is the `cursor` of the previous page. */
export const listMediaSchema = z
  .object({
    limit: z.coerce.number().int().min(1).max(500).optional(),
    before: z.string().max(100).optional(),
    /** Results to pass over, counted from `before`: a far place in the list is one question. */
    offset: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
    kind: mediaKindSchema.optional(),
    model: z.string().max(200).optional(),
    key: z.string().max(100).optional(),
    /** Words of the prompt; every one must be there. */
    q: z.string().max(500).optional(),
    /** Saved from here, and before there. */
    since: moment.optional(),
    until: moment.optional(),
    /** Min cost, 10⁻⁹ USD. */
    min_nano: z.coerce.number().int().min(0).optional(),
  })
  .strict();
export type ListMedia = z.output<typeof listMediaSchema>;

/** Newest first. */
export const mediaPageSchema = z.object({
  data: z.array(mediaViewSchema),
  /** Null at the end. */
  cursor: z.string().nullable(),
  /** Results at a provider's address that are still being fetched. */
  pending: z.number().int().nonnegative(),
  /** Results in the library that match. */
  total: z.number().int().nonnegative(),
  rebuilding: rebuildingSchema,
});
export type MediaPage = z.infer<typeof mediaPageSchema>;

/** Ids of at most 1,000 results. */
export const mediaIdsSchema = z.object({ ids: z.array(z.string().max(100)).min(1).max(1_000) }).strict();

/** Deleted entries, and until when they can be restored (Unix ms). */
export const deletedMediaSchema = z.object({ deleted: z.array(z.string()), undo_until: z.number().int() });
export type DeletedMedia = z.infer<typeof deletedMediaSchema>;

/** Preview image of a video, drawn by the page that showed it first: a JPEG or WebP in base64, at most 300 kB. */
export const mediaPosterSchema = z.object({ image: z.string().min(1).max(400_000) }).strict();
