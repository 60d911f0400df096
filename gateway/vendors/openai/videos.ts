import { videos as compatible } from "../openai-compatible/videos.ts";
import type { VideosAdapter } from "../videos.ts";

/** Sora (upstreams reference 8): the common dialect is OpenAI's own. */
export const videos: VideosAdapter = compatible;
