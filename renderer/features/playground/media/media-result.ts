import type { JobContext, JobKind } from "../calls/jobs.ts";
import { waitForMedia } from "../../../api/v1/settled.ts";

/** Results of a call. The response itself is not shown, because the CSP only permits Postern's own files. */
export interface MediaResult {
  /** Number of results in the response. */
  readonly count: number;
  /** Their ids in the library; null until they are there. */
  readonly media: readonly string[] | null;
}

/** Counts the images of a response, in any family's format. */
export function countImages(response: unknown): number {
  if (!isRecord(response)) return 0;
  if (Array.isArray(response["data"])) return response["data"].length;
  const found = JSON.stringify(response).match(/"(?:image|inlineData|inline_data)":/g);
  return found?.length ?? 0;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

async function readImages(response: Response): Promise<MediaResult> {
  return { count: countImages(await response.json()), media: null };
}

async function readSound(response: Response): Promise<MediaResult> {
  await response.arrayBuffer();
  return { count: 1, media: null };
}

async function loadSaved(result: MediaResult, { client, keyId, requestId }: JobContext): Promise<MediaResult> {
  const found = requestId === null ? [] : await waitForMedia(client, keyId, requestId, result.count);
  return { ...result, media: found.map(({ id }) => id) };
}

export const pictureJobs: JobKind<MediaResult> = { settles: true, read: readImages, complete: loadSaved };
export const soundJobs: JobKind<MediaResult> = { settles: true, read: readSound, complete: loadSaved };
