import { CONTENDERS } from "./contenders.ts";
import type { ContenderName } from "./contenders.ts";
import type { Machine } from "./machine.ts";
import { added, judge } from "./bars.ts";
import type { Medians } from "./bars.ts";

const LABELS: Readonly<Record<ContenderName, string>> = {
  direct: "direct",
  nginx: "nginx",
  portkey: "@portkey-ai/gateway",
  llms: "@musistudio/llms",
  postern: "Postern",
  "postern-no-limit": "Postern, key without USD limit",
};

type Column = readonly [title: string, digits: number, read: (medians: Medians, name: ContenderName) => number];

const own =
  (figure: string) =>
  (medians: Medians, name: ContenderName): number =>
    medians[name]?.[figure] ?? Number.NaN;
const above =
  (figure: string) =>
  (medians: Medians, name: ContenderName): number =>
    name === "direct" ? Number.NaN : added(medians, name, figure);

const WHOLE: readonly Column[] = [
  ["requests/s, 64 conn.", 0, own("perSecond64")],
  ["CPU µs/request", 1, own("cpuPerRequest")],
  ["p99 µs, 64 conn.", 0, own("p99At64")],
  ["p50 µs, 8 conn.", 0, own("p50At8")],
  ["added", 0, above("p50At8")],
  ["p99 µs, 8 conn.", 0, own("p99At8")],
  ["p50 µs, 1 conn.", 0, own("p50At1")],
  ["added", 0, above("p50At1")],
  ["errors", 0, own("errors")],
];
const STREAMED: readonly Column[] = [
  ["first token p50 µs", 0, own("ttftP50")],
  ["added", 0, above("ttftP50")],
  ["events/s, 100 streams", 0, own("eventsPerSecond")],
  ["chunk p50 µs", 0, own("chunkP50")],
  ["chunk p99 µs", 0, own("chunkP99")],
  ["CPU µs/event", 1, own("cpuPerEvent")],
  ["broken", 0, own("badStreams")],
];
const RESOURCES: readonly Column[] = [
  ["idle MiB", 0, own("idleMiB")],
  ["after 64 conn. MiB", 0, own("loadedMiB")],
  ["KiB per open stream", 1, own("kibPerStream")],
  ["start to first 200, ms", 0, own("startMs")],
];

/** The results as Markdown: three tables and the bars. */
export function reportText(
  machine: Machine,
  versions: Readonly<Record<string, string>>,
  rounds: number,
  medians: Medians,
): string {
  return [
    `${machine.cpus} x ${machine.cpu}, ${machine.memoryGiB} GiB, Linux ${machine.kernel}, Node ${machine.node}; load before the run ${machine.loadBefore.toFixed(2)}.`,
    `${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}. Medians of ${rounds} rounds.`,
    "Whole answers",
    table(WHOLE, medians),
    "Streams",
    table(STREAMED, medians),
    "Memory and start",
    table(RESOURCES, medians),
    "Bars",
    barTable(medians),
  ].join("\n\n");
}

function table(columns: readonly Column[], medians: Medians): string {
  const names = CONTENDERS.filter((name) => columns.some(([, , read]) => !Number.isNaN(read(medians, name))));
  const rows = names.map((name) => [
    LABELS[name],
    ...columns.map(([, digits, read]) => shown(read(medians, name), digits)),
  ]);
  return markdown(["", ...columns.map(([title]) => title)], rows);
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
