import type { ConnectionTest } from "../../gateway/contract/connection.ts";
import { useMessages } from "../lib/i18n.tsx";

/** Returns a function that describes a failed test in the page's language, with the provider's own message. */
export function useTestSentence(): (test: Pick<ConnectionTest, "problem" | "said">) => string {
  const t = useMessages();
  return ({ problem, said: message }) => {
    const sentence = problem === null ? "" : t.connections.problems[problem];
    return message === null || message === "" ? sentence : `${sentence} ${t.connections.quoted(message)}`;
  };
}
