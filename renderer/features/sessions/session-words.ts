import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { getFigures } from "../../../gateway/contract/request-figures.ts";

/** Figures of sessions and of their requests, without how they are drawn. Pure. */

/** "75%"; null without input. */
export function cachedShare(cached: number, input: number): string | null {
  return input === 0 ? null : `${Math.round((100 * cached) / input)}%`;
}

/** Shortens long ids to their start. */
export const shortId = (id: string): string => (id.length > 14 ? `${id.slice(0, 12)}…` : id);

export interface TurnTokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export function getTokens(receipt: Receipt): TurnTokens {
  const { tokens, output_tokens: output } = getFigures(receipt);
  const cached = receipt.terms.reduce(
    (sum, { unit, quantity }) => (unit === "cached_input" || unit === "cached_audio_input" ? sum + quantity : sum),
    0,
  );
  return { input: tokens - output, cached, output };
}

/** A request in its place in the session. */
export interface NumberedTurn {
  /** Position, from 1 for the session's first. */
  readonly number: number;
  readonly receipt: Receipt;
}

/**
 * Returns the requests in order without duplicates, because pages fetched at different times may overlap.
 * @param newestFirst requests in the log's order
 * @param all number of requests of the session; may lag
 */
export function inOrder(newestFirst: readonly Receipt[], all: number): readonly NumberedTurn[] {
  const known = new Map(newestFirst.map((receipt) => [receipt.id, receipt]));
  const turns = [...known.values()].toReversed();
  const before = Math.max(0, all - turns.length);
  return turns.map((receipt, place) => ({ number: before + place + 1, receipt }));
}

/** Returns the agents of a session in order of their first request. */
export function getAgents(turns: readonly NumberedTurn[]): readonly string[] {
  return [...new Set(turns.flatMap(({ receipt }) => receipt.agent ?? []))];
}

/** Whether a request is one of an agent's: null for all, "" for the main one. */
export const matchesAgent = ({ agent = "" }: Receipt, filter: string | null): boolean =>
  filter === null || agent === filter;
