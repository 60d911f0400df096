import { messageOf } from "../../lib/message-of.ts";
import { MediaRefused } from "../../store/media/media-incoming.ts";
import { StoreWriteError } from "../../store/store.ts";

/** Why something was not saved, to go on after "could not be saved: ". */
export function reasonOf(error: unknown): string {
  if (error instanceof MediaRefused || error instanceof StoreWriteError) return error.message;
  return `${messageOf(error)}.`;
}
