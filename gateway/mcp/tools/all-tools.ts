import type { ToolDeps } from "../tool/tool-deps.ts";
import type { Tool } from "../tool/tool.ts";
import { cancelVideoTaskTool } from "./cancel-video-task.ts";
import { chatTool } from "./chat.ts";
import { editImageTool } from "./edit-image.ts";
import { embedTextTool } from "./embed-text.ts";
import { generateImageTool } from "./generate-image.ts";
import { generateVideoTool } from "./generate-video.ts";
import { getQuotaTool } from "./get-quota.ts";
import { getVideoTaskTool } from "./get-video-task.ts";
import { listModelsTool } from "./list-models.ts";
import { listVideoTasksTool } from "./list-video-tasks.ts";
import { quoteTool } from "./quote.ts";
import { synthesizeSpeechTool } from "./synthesize-speech.ts";
import { transcribeAudioTool } from "./transcribe-audio.ts";

/** All tools of the server, always in this order: clients keep the list in their models' caches. */
export function allTools(deps: ToolDeps): readonly Tool[] {
  const paid = [
    chatTool(deps),
    generateImageTool(deps),
    editImageTool(deps),
    generateVideoTool(deps),
    synthesizeSpeechTool(deps),
    embedTextTool(deps),
    transcribeAudioTool(deps),
  ];
  return [
    ...paid,
    getVideoTaskTool(deps),
    listVideoTasksTool(deps),
    cancelVideoTaskTool(deps),
    listModelsTool(deps),
    getQuotaTool(deps),
    quoteTool(paid),
  ];
}
