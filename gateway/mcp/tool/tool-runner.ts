import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Receipt } from "../../contract/receipt.ts";
import { GatewayError } from "../../core/errors.ts";
import { validate } from "../../core/validation.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { isRecord } from "../../lib/records.ts";
import type { KeyRing } from "../../services/keys/key-ring.ts";
import { StoreWriteError } from "../../store/store.ts";
import type { CallLog } from "../call-log.ts";
import type { Caller } from "../caller.ts";
import { CollectedReply } from "./collected-reply.ts";
import { Progress } from "./progress.ts";
import type { Step } from "./progress.ts";
import type { Tool, ToolAnswer } from "./tool.ts";
import { failedResult } from "./tool-failure.ts";

export interface ToolRunnerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly keyRing: Pick<KeyRing, "objection">;
  readonly calls: CallLog;
}

/** A request to run a tool, whoever brings it: a client over HTTP, or the owner on the page. */
export interface ToolRequest {
  readonly tool: Tool;
  readonly arguments: unknown;
  readonly caller: Caller;
  /** Aborts when the caller does not want the answer any more. */
  readonly signal: AbortSignal;
  /** Null when the caller did not ask for progress. */
  readonly progress: ((step: Step) => void) | null;
}

/** Runs tools: checks arguments, follows the call's money and results, and makes every failure a result that says it. */
export class ToolRunner {
  readonly #deps: ToolRunnerDeps;

  constructor(deps: ToolRunnerDeps) {
    this.#deps = deps;
  }

  async run(request: ToolRequest): Promise<CallToolResult> {
    const { tool, caller, signal } = request;
    const { clock, calls } = this.#deps;
    const given = request.arguments ?? {};
    const model = isRecord(given) && typeof given["model"] === "string" ? given["model"].slice(0, 200) : null;
    const running = calls.begin({
      id: caller.requestId,
      tool: tool.name,
      key: caller.key.record.id,
      userAgent: caller.userAgent,
      model,
    });
    let receipt: Receipt | null = null;
    const kept: Promise<string | null>[] = [];
    const send = request.progress;
    const progress = new Progress(
      clock,
      send === null
        ? null
        : (step) => {
            running.moved(step.message);
            send(step);
          },
    );
    try {
      const objection = this.#deps.keyRing.objection(caller.key);
      if (objection !== null) throw objection;
      const answer = await tool.run(
        {
          input: {
            ...caller,
            asked: () => undefined,
            follower: {
              settled: (settled) => {
                receipt = settled;
              },
              kept: (saved) => kept.push(saved),
            },
          },
          reply: new CollectedReply(signal),
          progress,
          receipt: () => receipt,
          kept: () => Promise.all(kept),
        },
        argumentsOf(tool, given),
      );
      running.over({ status: signal.aborted ? "cancelled" : "done", code: null, receipt });
      return resultOf(answer);
    } catch (thrown) {
      const error = this.#expected(thrown, caller.requestId);
      running.over({ status: signal.aborted ? "cancelled" : "failed", code: error.code, receipt });
      caller.note(model ?? tool.name, error.code);
      return failedResult(error, caller.requestId);
    }
  }

  /** The same split as in http/middleware/errors.ts: what is not expected is a bug, logged whole, told without details. */
  #expected(thrown: unknown, requestId: string): GatewayError {
    if (thrown instanceof GatewayError) return thrown;
    if (thrown instanceof StoreWriteError) {
      return new GatewayError("storage_unavailable", `Nothing was changed: ${thrown.message}`, { cause: thrown });
    }
    const { message, stack = "" } = thrown instanceof Error ? thrown : new Error(String(thrown));
    this.#deps.log.error("bug", { id: requestId, message, stack });
    return new GatewayError(
      "internal_error",
      "Postern made a mistake. The log has the details under this request's id.",
    );
  }
}

/** @throws GatewayError naming what is wrong; an unknown argument with those that there are. */
function argumentsOf(tool: Tool, given: unknown): Record<string, unknown> {
  try {
    return validate(tool.input, given);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== "unsupported_parameter") throw error;
    const known = Object.keys(tool.input.shape).join(", ");
    throw new GatewayError(error.code, `${error.message} ${tool.name} takes: ${known}.`, error.details);
  }
}

function resultOf({ content, structured }: ToolAnswer): CallToolResult {
  return { content: [...content], structuredContent: structured };
}
