import { CachedShares } from "./cached-shares.ts";
import { PromptHistory } from "./prompt-history.ts";

/** Memory of conversations between their calls, until Postern stops. */
export class ConversationMemory {
  readonly shares = new CachedShares();
  readonly prompts = new PromptHistory();
}
