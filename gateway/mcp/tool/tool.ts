import type { ContentBlock } from "@modelcontextprotocol/server";
import type * as z from "zod";
import type { Receipt } from "../../contract/receipt.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Capability } from "../../core/models/model.ts";
import { validate, removeRefusedNulls } from "../../core/validation.ts";
import type { CallInput, Quote } from "../../services/calls/paid-call.ts";
import type { Recipient } from "../../services/calls/client.ts";
import type { Progress } from "./progress.ts";

/** The tool's view of one of its calls. */
export interface ToolCall {
  /** Input for the services. Its `key` is the client's, its `requestId` the name of the call everywhere. */
  readonly input: CallInput;
  /** The caller for services, with its connection state. */
  readonly client: Recipient;
  readonly progress: Progress;
  /** Receipt of the call, once a service has settled it; null before, and for calls that ask no provider. */
  readonly receipt: () => Receipt | null;
  /** Ids in the library of what the call made, once each is saved; null for what could not be saved. In order. */
  readonly savedIds: () => Promise<readonly (string | null)[]>;
}

/** Result of a tool. Thrown GatewayErrors become error results; anything else thrown is a bug. */
export interface ToolResponse<O = Record<string, unknown>> {
  /** Content for the model and the user: short texts, media, links. */
  readonly content: readonly ContentBlock[];
  /** Structured result by the schema `output`. Next to media it is sent as metadata. */
  readonly structured: O;
}

/** Hints that hosts may show before they let a model call the tool (MCP "annotations"). They must be true. */
export interface ToolHints {
  /** Has no side effects and costs nothing. */
  readonly readOnly: boolean;
  /** Ends or removes something that is there. */
  readonly destructive: boolean;
  /** A second call with the same arguments changes and costs nothing more. */
  readonly idempotent: boolean;
  /** Sends something to a provider. */
  readonly openWorld: boolean;
}

/** A tool of the MCP server: the description for the model, and the service that the tool runs. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  /** Lower case with underscores. */
  readonly name: string;
  readonly title: string;
  /** Description: effect, cost and time, units, and the next step. */
  readonly description: string;
  /** Strict: unknown arguments are refused by name. Every field documents units and accepted values. */
  readonly input: I;
  readonly output: O;
  readonly hints: ToolHints;
  /** Capability of the models of its `model` argument; null for tools without one. Such tools cost money. */
  readonly capability: Capability | null;
  /** @throws GatewayError */
  run(call: ToolCall, args: z.output<I>): Promise<ToolResponse<z.output<O>>>;
  /** Estimates the cost of a call, for tools that cost money. @throws GatewayError that the call would be refused with */
  estimate?(call: Pick<ToolCall, "input">, args: z.output<I>): Promise<Quote>;
}

/** Tells whether results of a tool may contain images or audio, whose transfer `delivery` selects. */
export function canReturnMedia(tool: Tool): boolean {
  return "delivery" in tool.input.shape;
}

/** Keeps the types of a tool's schemas; the list of tools erases them. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Tool<I, O>): Tool {
  return tool;
}

/**
 * Validates the arguments of a call; null for an optional one counts as absent.
 * @throws GatewayError naming the invalid argument; for an unknown one with the known ones.
 */
export function checkArguments(tool: Tool, given: unknown): Record<string, unknown> {
  try {
    return validate(tool.input, removeRefusedNulls(tool.input, given));
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== "unsupported_parameter") throw error;
    const known = Object.keys(tool.input.shape).join(", ");
    throw new GatewayError(error.code, `${error.message} ${tool.name} takes: ${known}.`, error.details);
  }
}
