import {
  listOpenAiVideosQuerySchema,
  openAiVideoDeletedSchema,
  openAiVideoListSchema,
  openAiVideoRequestSchema,
  openAiVideoSchema,
} from "./openai-videos.ts";
import type { PublicOperation } from "./operation.ts";
import {
  listVideosQuerySchema,
  videoRequestSchema,
  videoTaskListSchema,
  videoTaskSchema,
  videoWaitSchema,
} from "./videos.ts";

const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data";

/** Videos: our own tasks, and the same tasks in OpenAI's format. */
export const videoOperations: readonly PublicOperation[] = [
  {
    method: "post",
    path: "/v1/videos/generations",
    id: "createVideoTask",
    group: "Videos",
    summary: "Submit a video",
    description:
      "Answers 202 with the task, or 200 with the finished one when `wait` is given and it finishes in time. " +
      "`input` and `parameters` go to the provider as they are. Takes the header `Idempotency-Key`.",
    query: videoWaitSchema,
    request: { [JSON_TYPE]: videoRequestSchema },
    statuses: ["202", "200"],
    responses: { [JSON_TYPE]: [videoTaskSchema] },
    errors: ["nested"],
  },
  {
    method: "get",
    path: "/v1/videos/generations",
    id: "listVideoTasks",
    group: "Videos",
    summary: "The tasks of this key, newest first",
    query: listVideosQuerySchema,
    responses: { [JSON_TYPE]: [videoTaskListSchema] },
    errors: ["nested"],
  },
  {
    method: "get",
    path: "/v1/videos/generations/{id}",
    id: "getVideoTask",
    group: "Videos",
    summary: "One task, by our id or the provider's",
    responses: { [JSON_TYPE]: [videoTaskSchema] },
    errors: ["nested"],
  },
  {
    method: "delete",
    path: "/v1/videos/generations/{id}",
    id: "cancelVideoTask",
    group: "Videos",
    summary: "Cancel a task that still waits at its provider",
    responses: { [JSON_TYPE]: [videoTaskSchema] },
    errors: ["nested"],
  },
  {
    method: "post",
    path: "/v1/videos",
    id: "createVideo",
    group: "Videos",
    summary: "Submit a video in OpenAI's words, to any family",
    request: { [FORM_TYPE]: openAiVideoRequestSchema, [JSON_TYPE]: openAiVideoRequestSchema },
    responses: { [JSON_TYPE]: [openAiVideoSchema] },
    errors: ["nested"],
  },
  {
    method: "get",
    path: "/v1/videos",
    id: "listVideos",
    group: "Videos",
    summary: "The tasks of this key in OpenAI's words",
    query: listOpenAiVideosQuerySchema,
    responses: { [JSON_TYPE]: [openAiVideoListSchema] },
    errors: ["nested"],
  },
  {
    method: "get",
    path: "/v1/videos/{id}",
    id: "retrieveVideo",
    group: "Videos",
    summary: "One task in OpenAI's words",
    responses: { [JSON_TYPE]: [openAiVideoSchema] },
    errors: ["nested"],
  },
  {
    method: "get",
    path: "/v1/videos/{id}/content",
    id: "downloadVideo",
    group: "Videos",
    summary: "The file of a finished video",
    responses: { "video/mp4": null },
    errors: ["nested"],
  },
  {
    method: "delete",
    path: "/v1/videos/{id}",
    id: "deleteVideo",
    group: "Videos",
    summary: "Delete a task; one that waits is cancelled first",
    responses: { [JSON_TYPE]: [openAiVideoDeletedSchema] },
    errors: ["nested"],
  },
];
