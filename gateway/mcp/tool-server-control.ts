import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import type { Receipt } from "../contract/receipt.ts";
import type { McpTool, McpView, TriedTool, TryTool } from "../contract/mcp.ts";
import { GatewayError } from "../core/errors.ts";
import type { Clock } from "../lib/clock.ts";
import { newRequestId } from "../lib/ids.ts";
import { isRecord } from "../lib/records.ts";
import type { McpControl } from "../http/control/mcp-control.ts";
import type { KeyRing } from "../services/keys/key-ring.ts";
import type { CallLog } from "./call-log.ts";
import type { Caller } from "./caller.ts";
import type { Sessions } from "./sessions/sessions.ts";
import { ERROR_META, RESULT_META } from "./tool/tool-runner.ts";
import type { ToolRunner } from "./tool/tool-runner.ts";
import { getSchemas } from "./tool/tool-schema.ts";
import type { Tool } from "./tool/tool.ts";

/** User agent of the page's calls. */
const APP = "Postern";
const NEWEST_REVISION = "2026-07-28";
/** Quoting is a tool like any other. */
const QUOTE_TOOL = "quote";

export interface ToolServerControlDeps {
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly origin: () => string;
  readonly tools: readonly Tool[];
  readonly runner: ToolRunner;
  readonly calls: CallLog;
  readonly sessions: Pick<Sessions, "count">;
}

/** Shows the MCP server to the user, and runs calls from the page: by the same runner as any client. */
export class ToolServerControl implements McpControl {
  readonly #deps: ToolServerControlDeps;
  /** Running trials by the names that the page gave. */
  readonly #trials = new Map<string, AbortController>();

  constructor(deps: ToolServerControlDeps) {
    this.#deps = deps;
  }

  async view(): Promise<McpView> {
    const { origin, tools, calls, sessions } = this.#deps;
    return {
      url: `${origin()}/mcp`,
      protocol_versions: [NEWEST_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS],
      tools: tools.map(shown),
      calls: calls.list(),
      sessions: sessions.count,
    };
  }

  async tryTool({ key, tool: name, arguments: given, quote, trial }: TryTool): Promise<TriedTool> {
    const { clock, keyRing, runner } = this.#deps;
    const ringKey = keyRing.get(key);
    if (ringKey === undefined) throw new GatewayError("not_found", `There is no key ${key}.`, { param: "key" });
    const caller: Caller = {
      key: ringKey,
      requestId: newRequestId(),
      arrivedAt: clock.monotonic(),
      app: APP,
      note: () => undefined,
    };
    const tool = this.#find(quote === true ? QUOTE_TOOL : name);
    // The page's calls go on when the page is left: their results are in the library and the list of calls.
    const ending = new AbortController();
    if (trial !== undefined) this.#trials.set(trial, ending);
    let receipt: Receipt | null = null;
    const result = await runner
      .run({
        tool,
        arguments: quote === true ? { tool: name, arguments: given } : given,
        caller,
        signal: ending.signal,
        // Steps are not forwarded, but the list of calls shows them.
        progress: () => undefined,
        settled: (settled) => (receipt = settled),
      })
      .finally(() => {
        if (trial !== undefined && this.#trials.get(trial) === ending) this.#trials.delete(trial);
      });
    const error = result._meta?.[ERROR_META];
    const structured = result.structuredContent ?? result._meta?.[RESULT_META];
    return {
      is_error: result.isError === true,
      content: result.content,
      structured: isRecord(structured) ? { ...structured } : null,
      code: isRecord(error) && typeof error["code"] === "string" ? error["code"] : null,
      cancelled: ending.signal.aborted,
      request_id: caller.requestId,
      spent: summarizeSpend(receipt),
    };
  }

  async cancelTrial(trial: string): Promise<void> {
    const ending = this.#trials.get(trial);
    if (ending === undefined) throw new GatewayError("not_found", "This call is over: there is nothing to cancel.");
    ending.abort();
  }

  #find(name: string): Tool {
    const tool = this.#deps.tools.find((one) => one.name === name);
    if (tool === undefined) throw new GatewayError("not_found", `There is no tool ${name}.`, { param: "tool" });
    return tool;
  }
}

function summarizeSpend(receipt: Receipt | null): TriedTool["spent"] {
  return receipt === null ? null : { nano: receipt.nano, sandbox: receipt.sandbox };
}

function shown(tool: Tool): McpTool {
  const { name, title, description, hints, capability } = tool;
  return {
    name,
    title,
    description,
    input: getSchemas(tool).input,
    read_only: hints.readOnly,
    destructive: hints.destructive,
    idempotent: hints.idempotent,
    open_world: hints.openWorld,
    capability,
  };
}
