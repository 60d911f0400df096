import { ResourceTemplate, ProtocolError } from "@modelcontextprotocol/server";
import type {
  McpServer,
  ReadResourceResult,
  Resource,
  ServerContext,
  Variables,
  TextResourceContents,
} from "@modelcontextprotocol/server";
import type { Log } from "../../lib/log.ts";
import { getCaller } from "../caller.ts";
import type { Caller } from "../caller.ts";
import { listMediaResources, readMediaResource } from "./resources-media.ts";
import { listTaskResources, readTaskResource } from "./resources-tasks.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import type { RingKey } from "../../services/keys/key-ring.ts";
import { createErrorFacts, computeJsonRpcNumber } from "../../core/json-rpc-error.ts";
import { expectedError } from "../expected-error.ts";

export type ResourceDeps = Pick<ToolDeps, "media" | "readVideos" | "listModels" | "origin"> & { readonly log: Log };

/** `postern://models`, `postern://tasks/{id}` and `postern://media/{id}`: only the key's own resources. */
export function registerResources(server: McpServer, deps: ResourceDeps): void {
  server.registerResource(
    "models",
    "postern://models",
    {
      title: "Models",
      description: "The models that this key may use, with their capabilities and prices.",
      mimeType: "application/json",
    },
    (_uri, context) => read(deps, context, ({ key }) => readModelsResource(deps, key)),
  );
  server.registerResource(
    "task",
    new ResourceTemplate("postern://tasks/{id}", {
      list: (context) => list(deps, context, ({ key }) => listTaskResources(deps, key)),
    }),
    {
      title: "Video task",
      description: "A video task of this key: its state, result and cost.",
      mimeType: "application/json",
    },
    (_uri, variables, context) => read(deps, context, ({ key }) => readTaskResource(deps, key, getId(variables))),
  );
  server.registerResource(
    "media",
    new ResourceTemplate("postern://media/{id}", {
      list: (context) => list(deps, context, ({ key }) => listMediaResources(deps, key)),
    }),
    { title: "Media", description: "An image, sound or video that a model has made for this key." },
    (_uri, variables, context) => read(deps, context, ({ key }) => readMediaResource(deps, key, getId(variables))),
  );
}

async function read(
  deps: ResourceDeps,
  context: ServerContext,
  work: (caller: Caller) => Promise<ReadResourceResult["contents"][number]>,
): Promise<ReadResourceResult> {
  return { contents: [await runForCaller(deps, context, work)] };
}

async function list(
  deps: ResourceDeps,
  context: ServerContext,
  work: (caller: Caller) => Promise<readonly Resource[]>,
): Promise<{ resources: Resource[] }> {
  return { resources: [...(await runForCaller(deps, context, work))] };
}

async function runForCaller<T>(
  { log }: ResourceDeps,
  context: ServerContext,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const caller = getCaller(context.http?.authInfo);
  try {
    return await work(caller);
  } catch (error) {
    throw createProtocolError(error, caller.requestId, log);
  }
}

function getId({ id }: Variables): string {
  return Array.isArray(id) ? (id[0] ?? "") : (id ?? "");
}

/** `postern://models`: the models that this key may use, as in `GET /v1/models`. */
export async function readModelsResource(
  { listModels }: Pick<ToolDeps, "listModels">,
  key: RingKey,
): Promise<TextResourceContents> {
  return { uri: "postern://models", mimeType: "application/json", text: JSON.stringify(await listModels.openai(key)) };
}

/** Converts an error of a request other than a tool call to JSON-RPC: the message, and the gateway's code in its data. */
export function createProtocolError(thrown: unknown, requestId: string, log: Log): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const error = expectedError(thrown, requestId, log);
  return new ProtocolError(computeJsonRpcNumber(error), error.message, createErrorFacts(error, requestId));
}
