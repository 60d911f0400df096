import { expect, it } from "vitest";
import { sha256 } from "../../../../gateway/lib/ids.ts";
import type { CallObserver } from "../../../../gateway/services/calls/call-observer.ts";
import { CreateVideo } from "../../../../gateway/services/videos/submission/create-video.ts";
import { taskRecord } from "../../../support/tasks.ts";
import { T2V } from "../../../support/video-acts.ts";

it("is recorded as the task that it made, also when the task cannot be shown", async () => {
  const reports: unknown[] = [];
  const observer: CallObserver = {
    openResponse: (status) => void reports.push(status),
    wrote: (piece) => void reports.push(String(piece)),
    endCall: (error) => void reports.push(error),
  };
  const known = taskRecord({ idempotency: { key: "again", hash: sha256(JSON.stringify(T2V)) } });
  const deps = {
    observers: { on: true, begin: () => observer },
    repository: { byIdempotency: () => Promise.resolve(known) },
    views: { task: () => Promise.reject(new Error("the library cannot be opened")) },
  };
  const creating = new CreateVideo(deps as never);
  const input = { body: T2V, name: "again", key: { record: { id: known.key } }, note: () => undefined };
  expect(await creating.run(input as never)).toBe(known);
  await expect.poll(() => reports).toEqual([202, null]);
});
