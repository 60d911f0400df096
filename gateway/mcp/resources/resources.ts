import { ResourceTemplate } from "@modelcontextprotocol/server";
import type { McpServer, ReadResourceResult, Resource, ServerContext, Variables } from "@modelcontextprotocol/server";
import type { Log } from "../../lib/log.ts";
import { callerOf } from "../caller.ts";
import type { Caller } from "../caller.ts";
import { listMediaResources, readMediaResource } from "./resources-media.ts";
import { readModelsResource } from "./resources-models.ts";
import { listTaskResources, readTaskResource } from "./resources-tasks.ts";
import { protocolError } from "../rpc-error.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";

export type ResourceDeps = Pick<ToolDeps, "media" | "readVideos" | "listModels" | "origin"> & { readonly log: Log };

/** `postern://models`, `postern://tasks/{id}` and `postern://media/{id}`: what a key may read, its own alone. */
export function registerResources(server: McpServer, deps: ResourceDeps): void {
  server.registerResource(
    "models",
    "postern://models",
    {
      title: "Models",
      description: "The models that this key may use, with what each can do and its prices.",
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
    (_uri, variables, context) => read(deps, context, ({ key }) => readTaskResource(deps, key, idOf(variables))),
  );
  server.registerResource(
    "media",
    new ResourceTemplate("postern://media/{id}", {
      list: (context) => list(deps, context, ({ key }) => listMediaResources(deps, key)),
    }),
    { title: "Media", description: "An image, sound or video that a model has made for this key." },
    (_uri, variables, context) => read(deps, context, ({ key }) => readMediaResource(deps, key, idOf(variables))),
  );
}

async function read(
  deps: ResourceDeps,
  context: ServerContext,
  work: (caller: Caller) => Promise<ReadResourceResult["contents"][number]>,
): Promise<ReadResourceResult> {
  return { contents: [await told(deps, context, work)] };
}

async function list(
  deps: ResourceDeps,
  context: ServerContext,
  work: (caller: Caller) => Promise<readonly Resource[]>,
): Promise<{ resources: Resource[] }> {
  return { resources: [...(await told(deps, context, work))] };
}

async function told<T>(
  { log }: ResourceDeps,
  context: ServerContext,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const caller = callerOf(context.http?.authInfo);
  try {
    return await work(caller);
  } catch (error) {
    throw protocolError(error, caller.requestId, log);
  }
}

function idOf({ id }: Variables): string {
  return Array.isArray(id) ? (id[0] ?? "") : (id ?? "");
}
