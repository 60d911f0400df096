import type { MediaView } from "../../../gateway/contract/media.ts";
import type { Messages } from "../../locales/messages.ts";

/** Returns the caption of a result: its prompt, or why it is missing. */
export function getCaption({ origin }: Pick<MediaView, "origin">, t: Messages): string {
  if (origin === null) return t.library.unknownOrigin;
  const prompt = origin.prompt.trim();
  return prompt === "" ? t.library.noPrompt : prompt;
}
