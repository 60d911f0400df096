import type { ContenderName } from "./contenders.ts";
import type { Figures } from "./round.ts";

/** Medians of all rounds, by contender. */
export type Medians = Readonly<Partial<Record<ContenderName, Figures>>>;

/** A bar that Postern has to clear, as a ratio of two figures of the same run. */
export interface Bar {
  readonly title: string;
  readonly must: "at least" | "at most";
  readonly limit: number;
  /** NaN when a contender did not take part. */
  readonly value: (medians: Medians) => number;
}

export interface Verdict {
  readonly title: string;
  readonly must: Bar["must"];
  readonly limit: number;
  readonly value: number;
  readonly passed: boolean;
}

/** What Postern aims at on a quiet machine. */
export const BARS: readonly Bar[] = [
  bar("requests/s at 64 connections, of Portkey's", "at least", 7, ratio("perSecond64", "portkey")),
  bar("requests/s at 64 connections, of nginx's", "at least", 0.3, ratio("perSecond64", "nginx")),
  bar("CPU per request, of Portkey's", "at most", 0.145, ratio("cpuPerRequest", "portkey")),
  bar("added p50 at 1 connection, of Portkey's", "at most", 0.32, addedRatio("p50At1", "portkey")),
  bar("added p50 at 8 connections, of Portkey's", "at most", 0.12, addedRatio("p50At8", "portkey")),
  bar("added time to first token, of llms's", "at most", 0.5, addedRatio("ttftP50", "llms")),
  bar("100 streams at 1 ms: events/s, of direct", "at least", 0.95, ratio("eventsPerSecond", "direct")),
  bar("100 streams at 1 ms: chunk p99, of Portkey's", "at most", 0.03, ratio("chunkP99", "portkey")),
  bar("100 streams at 1 ms: broken streams", "at most", 0, (medians) => medians.postern?.["badStreams"] ?? Number.NaN),
  bar("resident memory, idle, of Portkey's", "at most", 0.7, ratio("idleMiB", "portkey")),
  bar("resident memory after 64 connections, of Portkey's", "at most", 0.55, ratio("loadedMiB", "portkey")),
  bar("memory per open stream, of Portkey's", "at most", 0.35, ratio("kibPerStream", "portkey")),
  bar("start to first 200, of the nearest Node peer's", "at most", 0.7, startRatio),
];

function bar(title: string, must: Bar["must"], limit: number, value: Bar["value"]): Bar {
  return { title, must, limit, value };
}

/** Postern's figure as a share of a peer's. */
function ratio(figure: string, peer: ContenderName): Bar["value"] {
  return (medians) => figureOf(medians, "postern", figure) / figureOf(medians, peer, figure);
}

/** The same for what each of them adds to the direct call. */
function addedRatio(figure: string, peer: ContenderName): Bar["value"] {
  return (medians) => added(medians, "postern", figure) / added(medians, peer, figure);
}

/** What a contender adds to the direct call, in the figure's unit. */
export function added(medians: Medians, name: ContenderName, figure: string): number {
  return figureOf(medians, name, figure) - figureOf(medians, "direct", figure);
}

function startRatio(medians: Medians): number {
  const peers = Math.min(figureOf(medians, "portkey", "startMs"), figureOf(medians, "llms", "startMs"));
  return figureOf(medians, "postern", "startMs") / peers;
}

function figureOf(medians: Medians, name: ContenderName, figure: string): number {
  return medians[name]?.[figure] ?? Number.NaN;
}

/** Holds the medians against the bars. */
export function judge(medians: Medians, bars: readonly Bar[] = BARS): Verdict[] {
  return bars.map(({ title, must, limit, value: measure }) => {
    const value = measure(medians);
    return { title, must, limit, value, passed: must === "at least" ? value >= limit : value <= limit };
  });
}

/** The middle of the values; the mean of the two in the middle when their number is even. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}

/** The median of each figure over the rounds. */
export function medianFigures(rounds: readonly Figures[]): Figures {
  const names = new Set(rounds.flatMap((round) => Object.keys(round)));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      median(rounds.flatMap((round) => (round[name] === undefined ? [] : [round[name]]))),
    ]),
  );
}
