import type { TriedTool } from "../../gateway/contract/mcp.ts";

/** Parts of a tool's result, for display. Pure. */
export interface ResultParts {
  readonly texts: readonly string[];
  /** Ids in the library. */
  readonly media: readonly string[];
  /** Ids of video tasks. */
  readonly tasks: readonly string[];
  /** Links that are neither, as the tool gave them. */
  readonly links: readonly { readonly uri: string; readonly name: string }[];
  /** Number of inline pictures and audio that are not in the library. */
  readonly unkept: number;
}

const MEDIA = /^postern:\/\/media\/([\w-]+)$/;
const TASK = /^postern:\/\/tasks\/([\w-]+)$/;
/** Final line of a result, which the page shows as a separate figure. */
const COST_LINE = /^Cost: /;

export function getParts({ content }: Pick<TriedTool, "content">): ResultParts {
  const texts: string[] = [];
  const media = new Set<string>();
  const tasks = new Set<string>();
  const links = new Map<string, string>();
  let blocks = 0;
  const link = (uri: string, name: unknown): void => {
    const found = MEDIA.exec(uri)?.[1];
    const task = TASK.exec(uri)?.[1];
    if (found !== undefined) media.add(found);
    else if (task !== undefined) tasks.add(task);
    else links.set(uri, typeof name === "string" && name !== "" ? name : uri);
  };
  for (const block of content) {
    if (block.type === "text" && typeof block["text"] === "string") {
      if (!COST_LINE.test(block["text"])) texts.push(block["text"]);
    } else if (block.type === "image" || block.type === "audio") blocks += 1;
    else if (block.type === "resource_link" && typeof block["uri"] === "string") link(block["uri"], block["name"]);
    else if (block.type === "resource") {
      const { uri, text } = (block["resource"] ?? {}) as { readonly uri?: unknown; readonly text?: unknown };
      if (typeof uri === "string") link(uri, null);
      if (typeof text === "string") texts.push(text);
    }
  }
  return {
    texts,
    media: [...media],
    tasks: [...tasks],
    links: [...links].map(([uri, name]) => ({ uri, name })),
    unkept: Math.max(0, blocks - media.size),
  };
}

/** Money of a result; undefined if it has none. */
export interface ResultCost {
  /** 10⁻⁹ USD; null when no price is known. */
  readonly nano: number | null;
  readonly sandbox: boolean;
  /** Whether `nano` is the cost, or for a quote its max, or an estimate if nothing bounds the response. */
  readonly kind: "is" | "most" | "about";
}

const NANO_PER_USD = 1_000_000_000;
/** How a task ends: before that, its cost is not decided. */
const OVER = /^(succeeded|failed|cancelled)$/;

/** Returns the first amount in a result: the billed one, the future one, or the max. */
export function readCost(structured: TriedTool["structured"]): ResultCost | undefined {
  if (structured === null) return undefined;
  const { cost_usd, expected_cost_usd, max_cost_usd, is_guess, status, task } = structured;
  const sandbox = [structured, task].some(
    (each) => (each as { readonly sandbox?: unknown } | null | undefined)?.sandbox === true,
  );
  const costs = [
    [cost_usd, "is"],
    [expected_cost_usd, "about"],
    [max_cost_usd, is_guess === true ? "about" : "most"],
  ] as const;
  for (const [usd, kind] of costs) {
    if (typeof usd === "number" && usd >= 0) return { nano: Math.round(usd * NANO_PER_USD), sandbox, kind };
  }
  if (cost_usd === null && typeof status === "string" && !OVER.test(status)) return undefined;
  const unpriced = costs.find(([usd]) => usd === null);
  return unpriced === undefined ? undefined : { nano: null, sandbox, kind: unpriced[1] };
}

/** Returns the message of a refusal, without the code that is shown separately. */
export function readSentence({ content, code }: Pick<TriedTool, "content" | "code">): string {
  const [first = ""] = getParts({ content }).texts;
  return code !== null && first.startsWith(`${code}: `) ? first.slice(code.length + 2) : first;
}
