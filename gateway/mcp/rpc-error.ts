import { ProtocolError } from "@modelcontextprotocol/server";
import { errorFacts, jsonRpcNumber } from "../core/json-rpc-error.ts";
import type { Log } from "../lib/log.ts";
import { expectedError } from "./expected-error.ts";

/** What a request other than a tool's throws, as JSON-RPC has it: the sentence, and the gateway's code in its data. */
export function protocolError(thrown: unknown, requestId: string, log: Log): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const error = expectedError(thrown, requestId, log);
  return new ProtocolError(jsonRpcNumber(error), error.message, errorFacts(error, requestId));
}
