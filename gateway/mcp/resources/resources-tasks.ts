import type { Resource, TextResourceContents } from "@modelcontextprotocol/server";
import { publicId, getStatus } from "../../core/tasks/task.ts";
import type { RingKey } from "../../services/keys/key-ring.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";

/** `postern://tasks/{id}`: video tasks, as in `GET /v1/videos/generations/{id}`. */

type TaskResourceDeps = Pick<ToolDeps, "readVideos">;

const MIME_TYPE = "application/json";
const LISTED = 50;

export const getTaskUri = (id: string): string => `postern://tasks/${id}`;

/** @throws GatewayError not_found, also for the tasks of other keys */
export async function readTaskResource(
  { readVideos }: TaskResourceDeps,
  key: RingKey,
  id: string,
): Promise<TextResourceContents> {
  const task = await readVideos.read(key, id);
  return { uri: getTaskUri(id), mimeType: MIME_TYPE, text: JSON.stringify(task) };
}

/** The key's newest tasks; list_video_tasks has the older ones. */
export async function listTaskResources({ readVideos }: TaskResourceDeps, key: RingKey): Promise<readonly Resource[]> {
  const { tasks } = await readVideos.page(key, { limit: LISTED });
  return tasks.map((task) => ({
    uri: getTaskUri(publicId(task)),
    name: publicId(task),
    title: `${task.model}, ${getStatus(task)}`,
    mimeType: MIME_TYPE,
    annotations: { lastModified: new Date(task.updated_at).toISOString() },
  }));
}
