import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";
import type { Services } from "../../services/deps.ts";

/** Dependencies of tools: the services that /v1 uses, and time. */
export type ToolDeps = Pick<
  Services,
  | "runChat"
  | "runEmbeddings"
  | "synthesizeSpeech"
  | "transcribe"
  | "runImages"
  | "editImages"
  | "createVideo"
  | "readVideos"
  | "taskViews"
  | "taskRepository"
  | "videoEngine"
  | "listModels"
  | "quota"
  | "media"
> & { readonly clock: Clock; readonly later: Later; readonly origin: () => string };
