import { isRecord } from "../../lib/records.ts";

/**
 * Messages as a provider takes them that has no `developer` role, OpenAI's later name for `system` (DashScope answers 400;
 * that Ark, Google and xAI may do so is a guess, and all of them take `system`).
 * @param dropped fields of messages that the provider refuses.
 * @returns undefined where nothing has to change.
 */
export function plainMessages(messages: unknown, dropped: readonly string[] = []): readonly unknown[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const given: readonly unknown[] = messages;
  const changed = given.map((message) => (isRecord(message) ? plain(message, dropped) : message));
  return changed.some((message, index) => message !== given[index]) ? changed : undefined;
}

function plain(
  message: Readonly<Record<string, unknown>>,
  dropped: readonly string[],
): Readonly<Record<string, unknown>> {
  const isDeveloper = message["role"] === "developer";
  if (!isDeveloper && !dropped.some((field) => field in message)) return message;
  const kept = Object.fromEntries(Object.entries(message).filter(([field]) => !dropped.includes(field)));
  return isDeveloper ? { ...kept, role: "system" } : kept;
}

/** The same as a change of a request's body. */
export function plainRoles(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const messages = plainMessages(body["messages"]);
  return messages === undefined ? {} : { messages };
}
