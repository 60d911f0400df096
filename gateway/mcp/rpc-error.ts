import { ProtocolError } from "@modelcontextprotocol/server";
import { GatewayError } from "../core/errors.ts";
import { errorFacts, jsonRpcNumber } from "../core/json-rpc-error.ts";

/** What a request other than a tool's throws, as JSON-RPC has it: the sentence, and the gateway's code in its data. */
export function protocolError(thrown: unknown, requestId: string): unknown {
  if (!(thrown instanceof GatewayError)) return thrown;
  return new ProtocolError(jsonRpcNumber(thrown), thrown.message, errorFacts(thrown, requestId));
}
