import type { Capability } from "../core/models/model.ts";
import type { Provider } from "./provider.ts";

/** Whether a provider has a way to do this. Conversation in one dialect is conversation in all: codecs/ translates. */
export function canDo(provider: Provider, capability: Capability): boolean {
  switch (capability) {
    case "chat":
    case "messages":
      return provider.chat !== null || provider.messages !== null;
    case "embedding":
      return provider.embeddings !== null;
    case "speech":
      return provider.speech !== null;
    case "transcription":
      return provider.transcriptions !== null;
    case "translation":
      return provider.transcriptions?.translates === true;
    case "image":
      return provider.images !== null;
    case "image_edit":
      return provider.edits !== null;
    case "video":
      return provider.videos !== null;
    case "moderation":
      return provider.moderations !== null;
  }
}
