import { added, judge, type Medians } from "./bars.ts";
import { CONTENDERS, contender, type ContenderName } from "./contenders.ts";
import type { Machine } from "./machine.ts";

interface Column {
  readonly title: string;
  readonly digits: number;
  readonly better: "more" | "less";
  readonly read: (medians: Medians, name: ContenderName) => number;
}

/** A figure as it was measured. */
function own(title: string, figure: string, digits = 0, better: Column["better"] = "less"): Column {
  return { title, digits, better, read: (medians, name) => medians[name]?.[figure] ?? Number.NaN };
}

/** What a contender adds to the direct call. */
function above(figure: string): Column {
  const read = (medians: Medians, name: ContenderName): number =>
    name === "direct" ? Number.NaN : added(medians, name, figure);
  return { title: "added", digits: 0, better: "less", read };
}

const WHOLE = [
  own("requests/s, 64 conn.", "perSecond64", 0, "more"),
  own("CPU µs/request", "cpuPerRequest", 1),
  own("p99 µs, 64 conn.", "p99At64"),
  own("p50 µs, 8 conn.", "p50At8"),
  above("p50At8"),
  own("p99 µs, 8 conn.", "p99At8"),
  own("p50 µs, 1 conn.", "p50At1"),
  above("p50At1"),
  own("errors", "errors"),
];
const STREAMED = [
  own("first token p50 µs", "ttftP50"),
  above("ttftP50"),
  own("events/s, 100 streams", "eventsPerSecond", 0, "more"),
  own("chunk p50 µs", "chunkP50"),
  own("chunk p99 µs", "chunkP99"),
  own("CPU µs/event", "cpuPerEvent", 1),
  own("broken or over 60 s", "badStreams"),
];
const TRANSLATED = [
  own("requests/s, 64 conn.", "translated.perSecond64", 0, "more"),
  own("CPU µs/request", "translated.cpuPerRequest", 1),
  own("p99 µs, 64 conn.", "translated.p99At64"),
  own("p50 µs, 8 conn.", "translated.p50At8"),
  own("p50 µs, 1 conn.", "translated.p50At1"),
  own("errors", "translated.errors"),
  own("first token p50 µs", "translated.ttftP50"),
  own("events/s, 100 streams", "translated.eventsPerSecond", 0, "more"),
  own("chunk p99 µs", "translated.chunkP99"),
  own("CPU µs/event", "translated.cpuPerEvent", 1),
  own("broken or over 60 s", "translated.badStreams"),
];
const RESOURCES = [
  own("idle MiB", "idleMiB"),
  own("after 64 conn. MiB", "loadedMiB"),
  own("KiB per open stream", "kibPerStream", 1),
  own("start to first 200, ms", "startMs"),
];

/** The results as Markdown: a table for each part with what it shows of us, what was not measured, and the bars. */
export function reportText(
  machine: Machine,
  versions: Readonly<Record<string, string>>,
  rounds: number,
  medians: Medians,
  failures: readonly string[],
): string {
  return [
    `${machine.cpus} x ${machine.cpu}, ${machine.memoryGiB} GiB, Linux ${machine.kernel}, Node ${machine.node}; load before the run ${machine.loadBefore.toFixed(2)}.`,
    `${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}. Medians of ${rounds} rounds.`,
    ...section("Whole responses", WHOLE, medians),
    ...section("Streams", STREAMED, medians),
    ...section("Messages, translated to chat completions and back", TRANSLATED, medians),
    ...section("Memory and start", RESOURCES, medians),
    "### Not measured",
    failures.length === 0 ? "Nothing was left out." : failures.map((line) => `- ${line}`).join("\n"),
    "### Bars",
    barTable(medians),
  ].join("\n\n");
}

/** Nothing, when no one was measured. */
function section(title: string, columns: readonly Column[], medians: Medians): string[] {
  const names = CONTENDERS.filter((name) => columns.some(({ read }) => !Number.isNaN(read(medians, name))));
  if (names.length === 0) return [];
  const rows = names.map((name) => [
    contender(name).label,
    ...columns.map(({ digits, read }) => shown(read(medians, name), digits)),
    contender(name).leavesOut,
  ]);
  const head = ["", ...columns.map((column) => column.title), "does without"];
  return [`### ${title}`, markdown(head, rows), after(columns, medians)];
}

/** In which columns a gateway is ahead of us, however little, with both figures. */
function after(columns: readonly Column[], medians: Medians): string {
  const gateways = CONTENDERS.filter((name) => contender(name).gateway && medians[name] !== undefined);
  const lines = columns.flatMap((column) => {
    const ours = column.read(medians, "postern");
    const ahead = gateways.filter((name) => {
      const theirs = column.read(medians, name);
      return column.better === "more" ? theirs > ours : theirs < ours;
    });
    if (ahead.length === 0) return [];
    const reports = ahead.map((name) => `${contender(name).label} ${shown(column.read(medians, name), column.digits)}`);
    return [`- ${column.title}, ours ${shown(ours, column.digits)}: ${reports.join(", ")}`];
  });
  if (medians.postern === undefined) return "";
  return lines.length === 0
    ? "No gateway is ahead of Postern in this table."
    : `Gateways ahead of Postern:\n\n${lines.join("\n")}`;
}

function barTable(medians: Medians): string {
  const rows = judge(medians).map(({ title, must, limit, value, passed }) => [
    title,
    `${must} ${limit}`,
    shown(value, value < 1 ? 3 : 2),
    passed ? "pass" : "FAIL",
  ]);
  return markdown(["", "bar", "measured", ""], rows);
}

function shown(value: number, digits: number): string {
  if (Number.isNaN(value)) return "–";
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}
