import type { Document } from "../../codecs/translation.ts";
import type { Billed } from "../../core/models/model.ts";
import { listUsages } from "../../core/money/price.ts";
import { asList, isRecord } from "../../lib/records.ts";
import type { Client } from "../calls/client.ts";
import { describeEnd } from "../calls/paid-call.ts";
import type { PaidCall } from "../calls/paid-call.ts";
import { PartClients } from "../calls/part-clients.ts";
import type { MeteredUnits } from "./chat-money.ts";

/** Billed units of all choices; each is the response to a separate prompt. */
export interface AllCounted {
  readonly units: Billed;
  readonly estimated: boolean;
}

/** A response in the client's dialect, with its usage. */
export interface CountedResponse extends MeteredUnits {
  readonly shown: Document;
}

/**
 * Requests the remaining `n` choices concurrently from a provider whose dialect has only one. If one fails, the others
 * are cancelled; received ones are paid.
 * @param count number of choices missing besides `first`; 0: it has all of them.
 * @param ask requests one choice, with its own failover.
 * @throws GatewayError, ClientCancelled.
 */
export async function moreResponses(
  call: PaidCall,
  first: CountedResponse,
  count: number,
  client: Client,
  ask: (client: Client) => Promise<CountedResponse>,
): Promise<AllCounted & { readonly shown: Document }> {
  if (count <= 0) return { ...first, units: first.billed };
  const clients = new PartClients(client);
  const done: CountedResponse[] = [first];
  const failures: unknown[] = [];
  const askOne = async (): Promise<void> => {
    try {
      done.push(await ask(clients.add()));
    } catch (error) {
      failures.push(error);
      clients.end();
    }
  };
  await Promise.all(Array.from({ length: count }, askOne));
  clients.close();
  if (failures.length === 0) return together(done);
  // The first failure is the cause; later ones look like client disconnects.
  const [cause] = failures;
  const { units, estimated } = together(done);
  await call.record.settle({ outcome: "interrupted", ...describeEnd(cause), units, estimated });
  throw cause;
}

/** Several answers as the choices of one. */
function together(responses: readonly CountedResponse[]): AllCounted & { readonly shown: Document } {
  const choices = responses.flatMap(({ shown }) => asList(shown["choices"]));
  return {
    shown: {
      ...responses[0]?.shown,
      choices: choices.map((choice, index) => (isRecord(choice) ? { ...choice, index } : choice)),
      usage: responses.map(({ shown }) => shown["usage"]).reduce(addedUsage),
    },
    units: responses.flatMap(({ billed }) => listUsages(billed)),
    estimated: responses.some(({ estimated }) => estimated),
  };
}

/** Figures of two usage objects added, level by level. */
function addedUsage(left: unknown, right: unknown): unknown {
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (!isRecord(left) || !isRecord(right)) return right ?? left;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries([...names].map((name) => [name, addedUsage(left[name], right[name])]));
}
