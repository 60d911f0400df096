import { Clapperboard } from "lucide-react";
import type { ReactNode } from "react";
import * as z from "zod";
import { TextAreaField } from "../../../components/ui/field.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { createJobs } from "../calls/jobs.ts";
import type { JobContext } from "../calls/jobs.ts";
import { createMemory, useMemory } from "../memory.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { JobTab } from "../parts/job-tab.tsx";
import { PictureField } from "../pictures/picture-field.tsx";
import type { Picture } from "../pictures/picture.ts";
import { useModelFacts } from "../use-model-facts.ts";
import { videoBody, videoQuote } from "./bodies.ts";
import type { VideoWish } from "./bodies.ts";
import { useTask } from "../../../api/task-queries.ts";
import { buttonClass } from "../../../components/ui/button.tsx";
import { Failure, SkeletonRows } from "../../../components/ui/states.tsx";
import { routeHash } from "../../../lib/router.ts";
import { TaskCost, TaskStatusBadge } from "../../../components/task/task-cells.tsx";
import { TaskResult } from "../../../components/task/task-result.tsx";

interface VideoState extends Omit<VideoWish, "first"> {
  readonly first: Picture | null;
}

export const videoMemory = createMemory<VideoState>("video", {
  model: "",
  prompt: "",
  seconds: "",
  resolution: "",
  ratio: "",
  first: null,
});

const RATIOS = ["16:9", "9:16", "1:1", "4:3", "3:4"] as const;
const taskSchema = z.looseObject({ id: z.string() });

/** Pages know a task by another id than the clients of some providers. */
async function readTask(response: Response, { client }: JobContext): Promise<string> {
  const { id } = taskSchema.parse(await response.json());
  return (await client.call("getTask", {}, id)).id;
}

/** Orders of videos; each is answered with the id of its task. */
const videoJobs = createJobs("video-jobs", { settles: false, read: readTask });

/** Orders a video and follows its task. */
export function VideoTab(): ReactNode {
  const t = useMessages();
  const state = useMemory(videoMemory);
  const facts = useModelFacts(state.model)?.video;
  const { change } = videoMemory;
  const takesPicture = facts !== undefined && (facts.kind !== "t2v" || facts.with_image !== null);
  const wish: VideoWish = { ...state, first: takesPicture ? (state.first?.url ?? null) : null };
  return (
    <JobTab
      kind="video"
      model={state.model}
      onModel={(model) => change({ model })}
      title={state.prompt}
      prompt={state.prompt}
      jobs={videoJobs}
      ready={state.prompt.trim() !== "" && facts !== undefined}
      request={() => ({ path: "/v1/videos/generations", body: videoBody(wish, facts) })}
      quote={{
        tool: "generate_video",
        ask: () => videoQuote(wish, facts),
        stamp: JSON.stringify({ ...state, first: wish.first !== null }),
      }}
      icon={<Clapperboard size={24} aria-hidden />}
      help={t.playground.videoHelp}
      renderResult={(id) => <FollowedTask id={id} />}
    >
      <TextAreaField
        label={t.playground.prompt}
        rows={5}
        spellCheck
        value={state.prompt}
        placeholder={t.playground.videoExample}
        onChange={(event) => change({ prompt: event.target.value })}
      />
      {takesPicture && (
        <PictureField
          label={facts.kind === "r2v" || facts.kind === "edit" ? t.playground.lookAt : t.playground.firstFrame}
          pictures={state.first === null ? [] : [state.first]}
          most={1}
          {...(facts.kind === "i2v" && { help: t.playground.needsPicture })}
          onChange={([first]) => change({ first: first ?? null })}
        />
      )}
      <div className="grid grid-cols-2 gap-3">
        <ChoiceField
          label={t.playground.seconds}
          value={state.seconds}
          choices={(facts?.durations ?? []).map(String)}
          free={(facts?.durations ?? null) === null}
          numeric
          onChange={(seconds) => change({ seconds })}
        />
        <ChoiceField
          label={t.playground.resolution}
          value={state.resolution}
          choices={facts?.resolutions ?? []}
          free={(facts?.resolutions.length ?? 0) === 0}
          onChange={(resolution) => change({ resolution })}
        />
        <ChoiceField
          label={t.playground.ratio}
          value={state.ratio}
          choices={RATIOS}
          free={false}
          onChange={(ratio) => change({ ratio })}
        />
      </div>
    </JobTab>
  );
}

/** A task as far as it is, and the video when it is made. */
function FollowedTask({ id }: { readonly id: string }): ReactNode {
  const t = useMessages();
  const { data: task, error, refetch } = useTask(id);
  if (task === undefined) {
    return error === null ? <SkeletonRows rows={3} /> : <Failure error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <TaskResult task={task} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <output>
          <TaskStatusBadge task={task} />
        </output>
        <TaskCost task={task} />
        <span className="grow" />
        <a href={routeHash("tasks", { task: id })} className={`${buttonClass("plain")} no-underline`}>
          <Clapperboard size={14} aria-hidden />
          {t.playground.showTask}
        </a>
      </div>
    </>
  );
}
