import type { ConnectionTest } from "../../gateway/contract/connection.ts";
import { useMessages } from "../lib/i18n.tsx";

/** What a test found wrong, in the language of the pages, with what the provider said to it in its own words. */
export function useTestSentence(): (test: Pick<ConnectionTest, "problem" | "said">) => string {
  const t = useMessages();
  return ({ problem, said }) => {
    const sentence = problem === null ? "" : t.connections.problems[problem];
    return said === null || said === "" ? sentence : `${sentence} ${t.connections.quoted(said)}`;
  };
}
