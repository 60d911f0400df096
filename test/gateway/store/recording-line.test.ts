import { expect, it } from "vitest";
import { makeRecording } from "../../../gateway/core/recordings/make-recording.ts";
import type { RecordedCall } from "../../../gateway/core/recordings/make-recording.ts";
import { KnownSecrets } from "../../../gateway/lib/known-secrets.ts";
import { recordingLine } from "../../../gateway/store/recording-line.ts";

const SECRET = "a-secret-of-no-known-form-1";
const secrets = new KnownSecrets();
secrets.set([SECRET]);

function callOf(size: number): RecordedCall {
  const pieces = [`{"a":"${"x".repeat(size)}${SECRET.slice(0, 9)}`, `${SECRET.slice(9)} é"}`];
  return {
    id: "req_1",
    at: 1,
    path: "/v1/chat/completions",
    headers: { accept: "text/event-stream" },
    body: Buffer.from(JSON.stringify({ said: SECRET, picture: `data:image/png;base64,${"A".repeat(size + 2_000)}` })),
    form: false,
    status: 200,
    type: "application/json",
    bytes: size,
    cut: false,
    omitted: 0,
    attempts: [],
    count: pieces.length,
    chunks: pieces.map((piece, ms) => ({ ms, bytes: piece.length, data: Buffer.from(piece) })),
  };
}

it.each([10, 400_000])("of a call of %s bytes has neither secrets nor media", async (size) => {
  const call = callOf(size);
  const line = await recordingLine(call, secrets);
  expect(line).toBe(JSON.stringify(makeRecording(call, secrets)));
  expect(line).not.toContain(SECRET);
  expect(line).toContain("data:image/png;omitted,");
});

it("of a large call goes by the secrets of its own time", async () => {
  const later = new KnownSecrets();
  later.set(["x".repeat(50)]);
  await recordingLine(callOf(100_000), secrets);
  expect(await recordingLine(callOf(100_000), later)).toContain(SECRET);
});
