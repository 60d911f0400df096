import { useState } from "react";
import type { ConnectionTest, CreateConnection } from "../../../gateway/contract/connection.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useTestSentence } from "../../components/test-sentence.ts";
import type { ConnectionField } from "./connection-draft.ts";

export interface TestedSave {
  /** The last save was held back by its test. */
  readonly failed: boolean;
  /** Tests the input, and saves it if successful. @returns whether it was saved */
  save(body: CreateConnection, write: (test: ConnectionTest) => Promise<unknown>): Promise<boolean>;
  /** Discards the result, because the input has changed. */
  forget(): void;
}

/** Problems that are attributed to the key; all others to the URL. */
const AT_KEY: ReadonlySet<ConnectionTest["problem"]> = new Set(["refused", "out_of_credit", "no_key"]);

/** Tests a connection before it is stored; errors are shown at the responsible field. */
export function useTestedSave(say: (field: ConnectionField, sentence: string) => void): TestedSave {
  const { client } = useGateway();
  const sentenceOf = useTestSentence();
  const [failed, setFailed] = useState(false);
  return {
    failed,
    async save(body, write) {
      const test = await client.call("tryConnection", body);
      setFailed(!test.ok);
      if (test.ok) await write(test);
      else say(AT_KEY.has(test.problem) ? "keys" : "base_url", sentenceOf(test));
      return test.ok;
    },
    forget: () => setFailed(false),
  };
}
