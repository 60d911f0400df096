/** Endpoints of conversations, as receipts name them: the dialects that clients speak. */
export const CONVERSATIONS: ReadonlySet<string> = new Set(["chat", "messages", "responses", "gemini", "completions"]);
