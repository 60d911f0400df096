import { baseUrl } from "./tray-model.ts";
import type { Words } from "./words.ts";

/** What is said about the first key; the first button copies it. */
export function firstKeyQuestion(key: string, url: string, { boxes }: Words) {
  return {
    type: "info" as const,
    message: boxes.firstKey,
    detail: boxes.firstKeyDetail(key, baseUrl(url)),
    buttons: [boxes.copyKey, boxes.stored],
    defaultId: 0,
    cancelId: 1,
  };
}
