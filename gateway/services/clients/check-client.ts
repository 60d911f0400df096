import type { ClientCheck, ClientPart } from "../../contract/clients.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { findFile } from "../../core/clients/client-kind.ts";
import type { ClientFile, ClientKind, Connected } from "../../core/clients/client-kind.ts";
import type { FormatName } from "../../core/clients/file-format.ts";
import { readData, readText } from "../../core/clients/edit-file.ts";
import { samePlace } from "../../core/clients/self-loop.ts";
import { GatewayError } from "../../core/errors.ts";
import { getValue } from "../../core/clients/data.ts";
import type { Data } from "../../core/clients/data.ts";
import { redact } from "../../lib/redact.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { ClientDeps } from "./client-deps.ts";
import { findPlaces } from "./draft-files.ts";

/** Model that Claude Code requests by default when its settings name none. */
const CLAUDE_MODEL = "claude-opus-5-5";
const PROMPT = "Reply with the single word: ready";
/** Enough for one word, and little to pay for. */
const MOST_TOKENS = 64;
/** Timeout in ms; long because a model may have to be loaded first. The call itself detects a silent provider. */
const HEAD_TIMEOUT_MS = 600_000;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
const RECEIPT_WAIT_MS = 2_000;

/**
 * Makes one real call as the client would: to the address, with the key and the model that its file has now, over
 * HTTP, counted and billed like any other.
 * @param shownKey key that is in no file, as it was shown once
 */
export async function checkClient(
  deps: ClientDeps,
  kind: ClientKind,
  part: ClientPart,
  shownKey: string | undefined,
): Promise<ClientCheck> {
  const at = deps.clock.now();
  const startedAt = deps.clock.monotonic();
  const wire = part === "mcp" ? "mcp" : kind.wire;
  const failed = (message: string): ClientCheck => ({
    part,
    ok: false,
    at,
    ms: Math.round(deps.clock.monotonic() - startedAt),
    call: `POST ${paths[wire]}`,
    model: null,
    nano: null,
    sandbox: false,
    request_id: null,
    message: redact(message).slice(0, 500),
  });
  try {
    const { connected, rival, detour, layers } = await readConnection(deps, kind, part);
    if (connected === null) return failed(`${kind.name}'s file says nothing of Postern any more. Connect it again.`);
    if (!samePlace(connected.url, deps.origin()))
      return failed(`${kind.name} calls ${connected.url}, which is not this Postern. Connect it again.`);
    if (rival !== null)
      return failed(
        `Its file also sets ${rival}: ${kind.name} sends that key along with this one, and Postern refuses two keys. Take ${rival} out of the file.`,
      );
    if (detour !== null)
      return failed(
        `Its file also sets ${detour}: ${kind.name} does not call Postern then. Take that out of the file.`,
      );
    const key = connected.key ?? shownKey ?? null;
    if (key === null)
      return failed(`${kind.name} keeps the key elsewhere. Ask it something: its calls show on this card.`);
    const model = part === "mcp" ? null : (connected.model ?? (kind.wire === "messages" ? CLAUDE_MODEL : null));
    if (part === "models" && model === null) return failed("The file names no model to ask.");
    const { status, requestId, body, receipt } = await call(deps, wire, key, model);
    return {
      ...failed(status === 200 ? [getResponse(wire, body), ...layers].join("\n") : getError(kind, body, status)),
      ok: status === 200,
      model: receipt?.model ?? model,
      nano: part === "mcp" ? 0 : (receipt?.nano ?? null),
      sandbox: receipt?.sandbox ?? false,
      request_id: receipt === null ? null : requestId,
    };
  } catch (error) {
    if (error instanceof GatewayError || error instanceof UpstreamFailure) return failed(error.message);
    throw error;
  }
}

/** Current settings in the client's file, and those in it that would break each call. */
interface FileSettings {
  readonly connected: Connected | null;
  readonly rival: string | null;
  readonly detour: string | null;
  /** Sentences on settings outside the file that may override it. */
  readonly layers: readonly string[];
}

async function readConnection(deps: ClientDeps, kind: ClientKind, part: ClientPart): Promise<FileSettings> {
  const none = { connected: null, rival: null, detour: null, layers: [] };
  const model = deps.store.document.clients.get(kind.id)?.models.main ?? null;
  if (kind.link !== undefined) return { ...none, connected: { url: deps.origin(), key: null, model } };
  const file = findFile(kind, part);
  const places = await findPlaces(deps.clientFiles, kind, deps.machine, [part]);
  const place = places.find(({ files }) => file !== undefined && files.includes(file))?.place;
  if (file === undefined || place === undefined) return none;
  const { bytes } = await deps.clientFiles.read(place.path);
  if (bytes === null) return none;
  const data = readData(file.format, readText(bytes));
  return {
    connected: file.connected?.(data) ?? null,
    rival: file.rival?.(data) ?? null,
    detour: file.detour?.(data) ?? null,
    layers: await findLayers(deps, place.path, file),
  };
}

async function findLayers(
  { clientFiles }: ClientDeps,
  path: string,
  { format, layers }: ClientFile,
): Promise<string[]> {
  if (layers === undefined) return [];
  const found = await clientFiles.readSiblings(path, layers.suffix);
  return found.flatMap(({ name, bytes }) => {
    const detour = layers.detour(name, parseData(format, readText(bytes)));
    return detour === null ? [] : [`Postern is not called by ${detour}.`];
  });
}

/** Parses the data of a file; null if it is invalid, which the client reports itself. */
function parseData(format: FormatName, text: string): Data {
  try {
    return readData(format, text);
  } catch {
    return null;
  }
}

type Wire = ClientKind["wire"] | "mcp";

const paths: Readonly<Record<Wire, string>> = {
  messages: "/v1/messages",
  responses: "/v1/responses",
  chat: "/v1/chat/completions",
  gemini: "/v1beta/models/{model}:generateContent",
  mcp: "/mcp",
};

function getBody(wire: Wire, model: string | null): unknown {
  switch (wire) {
    case "messages":
      return { model, max_tokens: MOST_TOKENS, messages: [{ role: "user", content: PROMPT }] };
    case "responses":
      return { model, max_output_tokens: MOST_TOKENS, input: PROMPT, store: false };
    case "chat":
      return { model, max_completion_tokens: MOST_TOKENS, messages: [{ role: "user", content: PROMPT }] };
    case "gemini":
      return { contents: [{ parts: [{ text: PROMPT }] }], generationConfig: { maxOutputTokens: MOST_TOKENS } };
    case "mcp":
      return {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "Postern", version: "1" },
        },
      };
  }
}

async function call(
  deps: ClientDeps,
  wire: Wire,
  key: string,
  model: string | null,
): Promise<{ status: number; requestId: string; body: string; receipt: Receipt | null }> {
  const origin = deps.origin();
  const receipts = collectReceipts(deps);
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: wire === "mcp" ? "application/json, text/event-stream" : "application/json",
    "user-agent": "Postern",
    ...(wire === "messages" ? { "anthropic-version": "2023-06-01" } : {}),
  };
  try {
    const exchange = await deps.providerClient.open({
      origin,
      path: paths[wire].replace("{model}", () => encodeURIComponent(model ?? "")),
      method: "POST",
      headers,
      body: JSON.stringify(getBody(wire, model)),
      headTimeout: HEAD_TIMEOUT_MS,
      gapTimeout: HEAD_TIMEOUT_MS,
    }).response;
    const body = (await exchange.collect(MAX_RESPONSE_BYTES)).toString("utf8");
    const requestId = exchange.headers["x-request-id"] ?? exchange.headers["request-id"] ?? "";
    const session = exchange.headers["mcp-session-id"];
    if (session !== undefined) await endSession(deps, origin, key, session);
    const receipt = wire === "mcp" ? null : await receipts.of(requestId);
    return { status: exchange.status, requestId, body, receipt };
  } finally {
    receipts.stop();
  }
}

async function endSession(deps: ClientDeps, origin: string, key: string, session: string): Promise<void> {
  const ended = await deps.providerClient.open({
    origin,
    path: "/mcp",
    method: "DELETE",
    headers: { authorization: `Bearer ${key}`, "mcp-session-id": session },
    body: null,
    headTimeout: HEAD_TIMEOUT_MS,
    gapTimeout: HEAD_TIMEOUT_MS,
  }).response;
  await ended.collect(MAX_RESPONSE_BYTES);
}

/** Collects receipts as they are written; one may come before or just after its response is read. */
function collectReceipts({ events }: ClientDeps): { of(id: string): Promise<Receipt | null>; stop(): void } {
  const seen = new Map<string, Receipt>();
  let awaited: { readonly id: string; readonly take: (receipt: Receipt) => void } | null = null;
  const stop = events.subscribe((event) => {
    if (event.type !== "request.settled") return;
    seen.set(event.receipt.id, event.receipt);
    if (awaited?.id === event.receipt.id) awaited.take(event.receipt);
  });
  return {
    of: (id) =>
      new Promise((resolve) => {
        const known = seen.get(id);
        if (known !== undefined) return resolve(known);
        const timer = setTimeout(() => resolve(null), RECEIPT_WAIT_MS);
        awaited = {
          id,
          take: (receipt) => {
            clearTimeout(timer);
            resolve(receipt);
          },
        };
      }),
    stop,
  };
}

/** Returns the model's text, or the name of the MCP server. */
function getResponse(wire: Wire, body: string): string {
  const data = parseText(wire === "mcp" ? (/^data: (\{.*\})$/m.exec(body)?.[1] ?? body) : body);
  const text = {
    messages: () => getValue(data, ["content", 0, "text"]),
    responses: () => getTextOfOutput(getValue(data, ["output"])),
    chat: () => getValue(data, ["choices", 0, "message", "content"]),
    gemini: () => getValue(data, ["candidates", 0, "content", "parts", 0, "text"]),
    mcp: () =>
      `${String(getValue(data, ["result", "serverInfo", "name"]))} ${String(getValue(data, ["result", "protocolVersion"]))}`,
  }[wire]();
  return typeof text === "string" ? text : "";
}

function getTextOfOutput(output: unknown): unknown {
  if (!Array.isArray(output)) return "";
  return output.map((item) => getValue(item, ["content", 0, "text"])).find((text) => typeof text === "string") ?? "";
}

/** Describes the problem, and how to fix it on the client's card. */
function getError(kind: ClientKind, body: string, status: number): string {
  const given = getValue(parseText(body), ["error", "message"]);
  const message = typeof given === "string" ? given : `The response was ${status}.`;
  if (status === 401)
    return `The key in its file is refused: ${message} Connect ${kind.name} again to give it another.`;
  if (status === 404) return `${message} Choose another model for ${kind.name}.`;
  return message;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
