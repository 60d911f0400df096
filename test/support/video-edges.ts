import type { Kill } from "./video-kills.ts";

/** A write of the journal that brings a task into a phase, or makes something else of one. */
const task = (phase: string, rest = ""): string => `"id":"vt_\\w{26}","phase":"${phase}"${rest}`;

const point = (
  where: "journal" | "usage" | "incoming" | "media",
  at: "before" | "written" | "synced" | "renamed",
  has?: string,
  nth = 1,
): Kill => ({ how: "point", point: { in: where, at, nth, ...(has === undefined ? {} : { has }) } });

/** Each edge on a task's way from the submission to the end of its webhook, in order. */
export const EDGES: Readonly<Record<string, Kill>> = {
  "before its record is written": point("journal", "before", task("submitting")),
  "after its record, before its provider is asked": point("journal", "synced", task("submitting")),
  "while its provider takes it": { how: "holding", what: "submit" },
  "after its provider took it, before the provider's id is recorded": point("journal", "before", task("submitted")),
  "before the first poll": point("journal", "synced", task("submitted")),
  "during a poll": { how: "holding", what: "poll" },
  "between two polls": point("journal", "synced", task("running")),
  "after its provider's success, before its charge is recorded": point("journal", "before", task("fetching")),
  "after its charge is recorded, before it is counted": point("journal", "synced", task("fetching")),
  "after it is counted, before that is recorded": point("usage", "written", '"endpoint":"videos"'),
  "while its file is asked for": { how: "holding", what: "file" },
  "with half of its file": point("incoming", "written"),
  "after its sidecar, before its file is renamed": point("media", "renamed"),
  "after its file is renamed, before its end": point("media", "renamed", undefined, 2),
  "after its end, before its callback": point("journal", "synced", task("succeeded")),
  "during its callback": { how: "holding", what: "webhook" },
  "after its callback, before the attempt is recorded": point("journal", "before", '"state":"delivered"'),
};
