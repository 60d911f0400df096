import { makeRecording } from "../core/recordings/make-recording.ts";
import type { RecordedCall, TakenAttempt } from "../core/recordings/make-recording.ts";
import type { KnownSecrets } from "../lib/known-secrets.ts";

/** Max bytes of a call whose recording is encoded on the main thread, in a few milliseconds. */
const SMALL_BYTES = 64 * 1024;

const countBytes = ({ body, chunks }: RecordedCall | TakenAttempt): number =>
  chunks.reduce((sum, { data }) => sum + (data?.length ?? 0), body?.length ?? 0);

/**
 * Encodes the recording of a call as a log line; for a large call in the media thread. @throws Error if that thread
 * ends
 */
export async function recordingLine(call: RecordedCall, secrets: KnownSecrets): Promise<string> {
  const parts = [call, ...call.attempts];
  const bytes = parts.reduce((sum, part) => sum + countBytes(part), 0);
  if (bytes <= SMALL_BYTES) return JSON.stringify(makeRecording(call, secrets));
  const { runInThread } = await import("./media/media-container.ts");
  return runInThread<string>({ kind: "recording", call, secrets: secrets.list });
}
