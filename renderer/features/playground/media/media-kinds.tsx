import { AudioLines, Brush, Captions, Clapperboard, ImagePlus, Waypoints } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import * as z from "zod";
import { createJobs, type JobContext, type Jobs } from "../calls/jobs.ts";
import { SimilarityTable, type Vectors } from "../embeddings/similarity-table.tsx";
import type { MediaKind } from "../kinds.ts";
import { readTranscript } from "../transcription/transcript.ts";
import { TranscriptView } from "../transcription/transcript-view.tsx";
import { FollowedTask } from "./followed-task.tsx";
import { SavedResult } from "./saved-result.tsx";
import { editThis } from "./media-memory.ts";
import { pictureJobs, soundJobs } from "./media-result.ts";

/** Differences between the tabs besides their fields. */
export interface MediaKindView<Result = unknown> {
  readonly icon: ComponentType<{ readonly size: number }>;
  readonly jobs: Jobs<Result>;
  readonly renderResult: (result: Result) => ReactNode;
}

const sentSchema = z.looseObject({ input: z.array(z.string()) });
const vectorsSchema = z.looseObject({ data: z.array(z.looseObject({ embedding: z.array(z.number()) })) });

async function readVectors(response: Response, { body }: JobContext): Promise<Vectors> {
  const { data } = vectorsSchema.parse(await response.json());
  return { texts: sentSchema.parse(body).input, vectors: data.map(({ embedding }) => embedding) };
}

const taskSchema = z.looseObject({ id: z.string() });

/** Reads the task id used by the pages, which differs from the one returned to clients of some providers. */
async function readTask(response: Response, { client }: JobContext): Promise<string> {
  const { id } = taskSchema.parse(await response.json());
  return (await client.call("getTask", {}, id)).id;
}

function defineView<Result>(view: MediaKindView<Result>): MediaKindView {
  return view as unknown as MediaKindView;
}

export const mediaKindViews: Readonly<Record<MediaKind, MediaKindView>> = {
  image: defineView({
    icon: ImagePlus,
    jobs: createJobs("image-jobs", pictureJobs),
    renderResult: (result) => <SavedResult result={result} onEdit={(view) => void editThis(view)} />,
  }),
  edit: defineView({
    icon: Brush,
    jobs: createJobs("edit-jobs", pictureJobs),
    renderResult: (result) => <SavedResult result={result} onEdit={(view) => void editThis(view)} />,
  }),
  speech: defineView({
    icon: AudioLines,
    jobs: createJobs("speech-jobs", soundJobs),
    renderResult: (result) => <SavedResult result={result} />,
  }),
  transcription: defineView({
    icon: Captions,
    jobs: createJobs("transcription-jobs", { settles: true, read: readTranscript }),
    renderResult: (transcript) => <TranscriptView {...transcript} />,
  }),
  video: defineView({
    icon: Clapperboard,
    jobs: createJobs("video-jobs", { settles: false, read: readTask }),
    renderResult: (id) => <FollowedTask id={id} />,
  }),
  embedding: defineView({
    icon: Waypoints,
    jobs: createJobs("embedding-jobs", { settles: true, read: readVectors }),
    renderResult: (vectors) => <SimilarityTable {...vectors} />,
  }),
};
