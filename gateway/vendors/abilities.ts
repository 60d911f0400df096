import type { Capability } from "../core/models/model.ts";
import type { Vendor } from "./vendor.ts";

/** Whether a vendor has a way to do this. Conversation in one dialect is conversation in all: codecs/ translates. */
export function canDo(vendor: Vendor, capability: Capability): boolean {
  switch (capability) {
    case "chat":
    case "messages":
      return vendor.chat !== null || vendor.messages !== null;
    case "embedding":
      return vendor.embeddings !== null;
    case "speech":
      return vendor.speech !== null;
    case "image":
      return vendor.images !== null;
    case "image_edit":
      return vendor.edits !== null;
    case "video":
      return vendor.videos !== null;
  }
}
