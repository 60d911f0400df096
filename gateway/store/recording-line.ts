import { makeRecording } from "../core/recordings/make-recording.ts";
import type { RecordedCall } from "../core/recordings/make-recording.ts";
import type { KnownSecrets } from "../lib/known-secrets.ts";

/** Max bytes of a call whose recording is made on the main thread: some milliseconds. */
const SMALL_BYTES = 64 * 1024;

/** The recording of a call as a line of the log; of a large call made in the media thread. @throws Error where that ends */
export async function recordingLine(call: RecordedCall, secrets: KnownSecrets): Promise<string> {
  const bytes = call.chunks.reduce((sum, { data }) => sum + (data?.length ?? 0), call.body.length);
  if (bytes <= SMALL_BYTES) return JSON.stringify(makeRecording(call, secrets));
  const { runInThread } = await import("./media/media-container.ts");
  return runInThread<string>({ kind: "recording", call, secrets: secrets.list });
}
