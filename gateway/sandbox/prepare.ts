import { directivesOf } from "./directives.ts";
import { cutConnection, type Exchange, wait } from "./exchange.ts";
import { requestedFailure } from "./fields.ts";

/** How a response is to be sent. */
export interface Manner {
  /** Milliseconds between two events of a stream. */
  readonly gapMs: number;
  /** The connection breaks after so many events. */
  readonly cutAfter: number | null;
}

/**
 * Does what a prompt asks for before a response is made: waits, fails, breaks the connection.
 * @param events how many a streamed response will have; null for one that is not streamed.
 * @param beforeCut how many of them leave before `sandbox:cut` breaks the stream.
 * @returns null when the connection was broken: there is nothing left to answer.
 * @throws Failure for `sandbox:error` and `sandbox:fail`.
 */
export async function prepare(
  exchange: Exchange,
  prompt: string,
  events: number | null,
  beforeCut = 1,
): Promise<Manner | null> {
  const { errorStatus, slowMs, cut } = directivesOf(prompt);
  if (errorStatus !== null || events === null) await wait(exchange, slowMs ?? 0);
  if (errorStatus !== null) throw requestedFailure(errorStatus);
  if (events !== null) return { gapMs: (slowMs ?? 0) / Math.max(1, events - 1), cutAfter: cut ? beforeCut : null };
  if (!cut) return { gapMs: 0, cutAfter: null };
  cutConnection(exchange);
  return null;
}
