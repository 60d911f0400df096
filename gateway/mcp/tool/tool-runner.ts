import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Receipt } from "../../contract/receipt.ts";
import type { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { isRecord } from "../../lib/records.ts";
import { redact } from "../../lib/redact.ts";
import type { KeyRing } from "../../services/keys/key-ring.ts";
import type { CallLog } from "../call-log.ts";
import type { Caller } from "../caller.ts";
import { expectedError } from "../expected-error.ts";
import { LocalRecipient } from "../../services/calls/local-recipient.ts";
import { Progress } from "./progress.ts";
import type { Step } from "./progress.ts";
import { checkArguments } from "./tool.ts";
import type { Tool, ToolResponse } from "./tool.ts";
import { createErrorFacts } from "../../core/json-rpc-error.ts";

/** Metadata key of a failing result's error. Structured content is reserved for the output schema. */
export const ERROR_META = "postern/error";
/** Metadata key of the structured facts in a result with media. */
export const RESULT_META = "postern/result";

/**
 * A tool that failed as it may: a result that the model can read and act on (MCP: execution errors are results, so that
 * the model can correct itself), with the gateway's code, as /v1 would have said it.
 */
function failedResult(error: GatewayError, requestId: string): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: `${error.code}: ${error.message}` }],
    _meta: { [ERROR_META]: createErrorFacts(error, requestId) },
  };
}

/** Max characters of a model's name or a progress message, because callers may send megabytes. */
const MOST_SAID = 200;

export interface ToolRunnerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly keyRing: Pick<KeyRing, "objection">;
  readonly calls: CallLog;
}

/** A request to run a tool, from a client over HTTP or from the user on the page. */
export interface ToolRequest {
  readonly tool: Tool;
  readonly arguments: unknown;
  readonly caller: Caller;
  /** Aborts when the caller no longer wants the response. */
  readonly signal: AbortSignal;
  /** Null when the caller did not ask for progress. */
  readonly progress: ((step: Step) => void) | null;
  /** Receives the call's receipt, if a service settles it before it ends. */
  readonly settled?: (receipt: Receipt) => void;
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
    const model =
      isRecord(given) && typeof given["model"] === "string" ? redact(given["model"].slice(0, MOST_SAID)) : null;
    const running = calls.begin({
      id: caller.requestId,
      tool: tool.name,
      key: caller.key.record.id,
      app: caller.app,
      model,
      free: tool.capability === null,
    });
    let receipt: Receipt | null = null;
    const savedIds: Promise<string | null>[] = [];
    const send = request.progress;
    const progress = new Progress(
      clock,
      send === null
        ? null
        : (step) => {
            // It names the model as the caller wrote it, whatever that was.
            const message = redact(step.message.slice(0, MOST_SAID));
            running.noteProgress(message);
            send({ ...step, message });
          },
    );
    const client = new LocalRecipient(signal);
    try {
      const objection = this.#deps.keyRing.objection(caller.key);
      if (objection !== null) throw objection;
      const response = await tool.run(
        {
          input: {
            ...caller,
            noteProvider: () => undefined,
            follower: {
              onSettled: (settled) => {
                receipt = settled;
                request.settled?.(settled);
              },
              onSaved: (saved) => savedIds.push(saved),
            },
          },
          client,
          progress,
          receipt: () => receipt,
          savedIds: () => Promise.all(savedIds),
        },
        checkArguments(tool, given),
      );
      running.over({ status: signal.aborted ? "cancelled" : "done", code: null, receipt });
      return getResult(response);
    } catch (thrown) {
      const error = expectedError(thrown, caller.requestId, this.#deps.log);
      running.over({ status: signal.aborted ? "cancelled" : "failed", code: error.code, receipt });
      caller.note(model ?? tool.name, error.code);
      return failedResult(error, caller.requestId);
    } finally {
      client.release();
    }
  }
}

/**
 * Claude Code, Codex and opencode only pass structured content to their models if a result has any, without images and
 * audio (anthropics/claude-code#54737 of 2026-04-29 and #79944, openai/codex#38287 of 2026-08-13,
 * anomalyco/opencode#32868 of 2026-06-18; read 2026-11-28): with media it is therefore sent as metadata.
 */
function getResult({ content, structured }: ToolResponse): CallToolResult {
  const hasMedia = content.some(({ type }) => type === "image" || type === "audio");
  return {
    content: [...content],
    ...(hasMedia ? { _meta: { [RESULT_META]: structured } } : { structuredContent: structured }),
  };
}
