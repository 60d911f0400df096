import type { MediaView } from "../../../gateway/contract/media.ts";
import type { Messages } from "../../locales/messages.ts";

/** What a result is called by: its prompt, or why it has none. */
export function captionOf({ origin }: Pick<MediaView, "origin">, t: Messages): string {
  if (origin === null) return t.library.unknownOrigin;
  const prompt = origin.prompt.trim();
  return prompt === "" ? t.library.noPrompt : prompt;
}
