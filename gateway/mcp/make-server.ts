import { McpServer } from "@modelcontextprotocol/server";
import type { McpServerOptions, ServerContext, ServerNotifier } from "@modelcontextprotocol/server";
import type { RingKey } from "../services/keys/key-ring.ts";
import type { ListModels } from "../services/models/list-models.ts";
import { getCaller } from "./caller.ts";
import type { Step } from "./tool/progress.ts";
import { registerResources } from "./resources/resources.ts";
import type { ResourceDeps } from "./resources/resources.ts";
import type { ToolRunner } from "./tool/tool-runner.ts";
import { getInput, getSchemas, shownSchema } from "./tool/tool-schema.ts";
import { canReturnMedia } from "./tool/tool.ts";
import type { Tool } from "./tool/tool.ts";

/** Server instructions, which hosts show to the model. */
const INSTRUCTIONS =
  "Postern reaches every AI model that its owner has access to: chat, embeddings, speech, images, image edits and videos. " +
  "Tools with a model cost the owner's money: list_models lists the models and their prices, quote estimates the most a " +
  "call can cost, get_quota returns what this key may still spend. Every result says what the call cost. Videos take minutes: " +
  "generate_video returns a task at once, get_video_task waits for it. What was made is kept as postern://media/{id}.";

/** Models change with the connections: lists may be cached for a minute, per key. */
const LISTS = { ttlMs: 60_000, cacheScope: "private" } as const;
const READS = { ttlMs: 0, cacheScope: "private" } as const;

/** Extra content of the MCP server. Only test programs add any: the packaged app has none. */
export interface McpExtension {
  /** Goes to the constructor of each server. */
  readonly requestState?: NonNullable<McpServerOptions["requestState"]>;
  /** Called with each server after Postern's own tools, before it is connected. @param notify tells of changes */
  register(server: McpServer, notify: ServerNotifier): void;
}

export interface MakeServerDeps {
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly runner: ToolRunner;
  readonly listModels: ListModels;
  readonly resources: ResourceDeps;
  readonly extension: McpExtension | null;
}

/** Makes servers of the protocol: one for each request of the newer era, one for each session of the older. */
export class ServerMaker {
  readonly #deps: MakeServerDeps;

  constructor(deps: MakeServerDeps) {
    this.#deps = deps;
  }

  /** @param key owner of the server @param notify sends changes to clients of newer revisions */
  make(key: RingKey, notify: ServerNotifier): McpServer {
    const { version, tools, resources, extension } = this.#deps;
    const server = new McpServer(
      { name: "postern", title: "Postern", version },
      {
        instructions: INSTRUCTIONS,
        capabilities: { tools: { listChanged: true }, resources: {} },
        cacheHints: {
          "tools/list": LISTS,
          "resources/list": READS,
          "resources/templates/list": LISTS,
          "resources/read": READS,
          "server/discover": LISTS,
        },
        ...(extension?.requestState === undefined ? {} : { requestState: extension.requestState }),
      },
    );
    for (const tool of tools) this.#register(server, tool, key);
    registerResources(server, resources);
    extension?.register(server, notify);
    return server;
  }

  #register(server: McpServer, tool: Tool, key: RingKey): void {
    const { runner, listModels } = this.#deps;
    const schemas = getSchemas(tool);
    const { readOnly, destructive, idempotent, openWorld } = tool.hints;
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: shownSchema(() => getInput(tool, schemas.input, key, listModels)),
        // Clients refuse results without structured content if the tool has a schema for it.
        ...(canReturnMedia(tool) ? {} : { outputSchema: shownSchema(() => schemas.output) }),
        annotations: {
          title: tool.title,
          readOnlyHint: readOnly,
          destructiveHint: destructive,
          idempotentHint: idempotent,
          openWorldHint: openWorld,
        },
      },
      (given, context) =>
        runner.run({
          tool,
          arguments: given,
          caller: getCaller(context.http?.authInfo),
          signal: context.mcpReq.signal,
          progress: getProgress(context),
        }),
    );
  }
}

/** Sends progress if the client requested it with a token; null otherwise. */
function getProgress({ mcpReq }: ServerContext): ((step: Step) => void) | null {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  return (step) => {
    // A disconnected client needs no progress.
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...step } }).catch(() => undefined);
  };
}
