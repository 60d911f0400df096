import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { createKeySchema } from "../../../gateway/contract/key.ts";
import {
  cancelTrialSchema,
  tryToolSchema,
  type McpCall,
  type McpTool,
  type McpView,
  type TriedTool,
  type TryTool,
} from "../../../gateway/contract/mcp.ts";
import { refusal, type FakeControl } from "./fake-control.ts";
import { keyOf } from "./fixtures.ts";

/** The tool server behind a fake control server: a tool of each kind, and calls in every state. */
export interface FakeMcp {
  view: McpView;
  /** What the form has sent, in order. */
  readonly tried: TryTool[];
  /** The names under which it has cancelled calls. */
  readonly cancelled: string[];
  /** What a tool answers. */
  response: (input: TryTool) => TriedTool | Promise<TriedTool>;
  /** The names of the keys that were made. */
  readonly made: string[];
  /** Tells the pages of a call: of a new one, or of a change. */
  call(id: string, change?: Partial<McpCall>): void;
}

export const NEW_SECRET = "sk-NewKeyOfTheTest0123456789";
const now = Date.now();

export function callOf(id: string, change: Partial<McpCall> = {}): McpCall {
  return {
    id,
    at: now,
    tool: "chat",
    key: "key_1",
    client: "claude-code",
    model: "gpt-5.4-mini",
    status: "running",
    code: null,
    ms: null,
    nano: null,
    sandbox: false,
    progress: null,
    ...change,
  };
}

export function answered(change: Partial<TriedTool> = {}): TriedTool {
  return {
    is_error: false,
    content: [{ type: "text", text: "Hello." }],
    structured: null,
    code: null,
    cancelled: false,
    request_id: "req_tried",
    spent: null,
    ...change,
  };
}

const text = z.string().optional();
const chatInput = {
  model: z.string().describe("Id of a chat model."),
  prompt: text.describe("What the model is asked."),
  messages: z
    .array(z.strictObject({ role: z.string(), content: z.string() }))
    .optional()
    .describe("The conversation so far, oldest first."),
  max_tokens: z.int().min(1).optional().describe("The most tokens that the response may have."),
  temperature: z.number().optional().describe("0 to 2."),
  effort: z.enum(["low", "high"]).optional().describe("How long it thinks."),
  stream: z.boolean().default(false).describe("Whether it comes in pieces."),
};

function toolOf(name: string, title: string, input: z.ZodRawShape, change: Partial<McpTool> = {}): McpTool {
  return {
    name,
    title,
    description: `${title}. A description that a model can act on, with units, accepted values and what it costs.`,
    input: z.toJSONSchema(z.strictObject(input), { io: "input" }),
    read_only: false,
    destructive: false,
    idempotent: false,
    open_world: false,
    capability: null,
    ...change,
  };
}

const tools: readonly McpTool[] = [
  toolOf("chat", "Ask a chat model", chatInput, { capability: "chat", open_world: true }),
  toolOf(
    "generate_image",
    "Generate images",
    { model: z.string(), prompt: z.string() },
    { capability: "image", open_world: true },
  ),
  toolOf("get_video_task", "Get a video task", { id: z.string() }, { read_only: true, idempotent: true }),
  toolOf("cancel_video_task", "Cancel a video task", { id: z.string() }, { destructive: true, open_world: true }),
  toolOf("list_models", "List models", {}, { read_only: true, idempotent: true }),
];

/** One in each state, newest first; the second has the receipt of the fake's newest request. */
const calls: readonly McpCall[] = [
  callOf("req_running", { at: now - 9_000, progress: "12 s, the model is thinking" }),
  callOf("req_00000000000000000000", { at: now - 60_000, status: "done", ms: 4_210, nano: 1_310_000 }),
  callOf("req_sandbox", { at: now - 90_000, status: "done", ms: 820, nano: 42_000, sandbox: true }),
  callOf("req_free", { at: now - 120_000, tool: "list_models", model: null, status: "done", ms: 4, nano: 0 }),
  callOf("req_failed", { at: now - 180_000, status: "failed", code: "insufficient_quota", ms: 3, nano: 0 }),
  callOf("req_cancelled", {
    at: now - 240_000,
    status: "cancelled",
    ms: 61_000,
    nano: null,
    client: "codex-mcp-client",
  }),
];

/** Put it on after other features of the fake: what is not its own goes to them. */
export function addMcp(fake: FakeControl): FakeMcp {
  const mcp: FakeMcp = {
    view: {
      url: `${fake.url}/mcp`,
      protocol_versions: ["2026-07-28", "2025-11-25", "2025-06-18"],
      tools: [...tools],
      calls: [...calls],
      sessions: 2,
    },
    tried: [],
    cancelled: [],
    response: () => answered(),
    made: [],
    call(id, change = {}) {
      const before = mcp.view.calls.find((each) => each.id === id);
      const call = { ...(before ?? callOf(id, { at: Date.now() })), ...change };
      const others = mcp.view.calls.filter((each) => each !== before);
      mcp.view = { ...mcp.view, calls: [...others, call].toSorted((a, b) => b.at - a.at) };
      fake.emit({ type: "mcp.called", call });
    },
  };
  const usual = fake.serve;
  fake.serve = async (incoming, outgoing, address) =>
    (await serve(fake, mcp, incoming, outgoing, address)) || ((await usual?.(incoming, outgoing, address)) ?? false);
  return mcp;
}

async function serve(
  fake: FakeControl,
  mcp: FakeMcp,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { pathname }: URL,
): Promise<boolean> {
  const send = (body: unknown, status = 200): true => {
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    return true;
  };
  switch (`${incoming.method} ${pathname}`) {
    case "GET /control/mcp":
      return send(mcp.view);
    case "POST /control/mcp/call": {
      const input = tryToolSchema.parse(await bodyOf(incoming));
      mcp.tried.push(input);
      if (mcp.view.tools.some(({ name }) => name === input.tool)) return send(await mcp.response(input));
      const { status, body } = refusal(404, `There is no tool ${input.tool}.`, "not_found");
      return send(body, status);
    }
    case "POST /control/mcp/cancel": {
      mcp.cancelled.push(cancelTrialSchema.parse(await bodyOf(incoming)).trial);
      return send({ ok: true });
    }
    case "POST /control/keys": {
      const { name } = createKeySchema.parse(await bodyOf(incoming));
      mcp.made.push(name);
      const key = keyOf(90 + mcp.made.length, { name });
      fake.keys = [...fake.keys, key];
      return send({ key, secret: NEW_SECRET });
    }
    default:
      return false;
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  let body = "";
  for await (const part of incoming) body += String(part);
  return JSON.parse(body);
}
