import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A small OpenAI-compatible server, as people run one next to Postern. */
export interface LocalProvider {
  readonly baseUrl: string;
  /** Keys that it takes; empty takes every one. */
  readonly accepted: Set<string>;
  /** Fields of a request that it refuses. */
  readonly refused: Set<string>;
  close(): Promise<void>;
}

/** @param port where it comes back; a free one without */
export async function startLocalProvider(models: readonly string[], port = 0): Promise<LocalProvider> {
  const accepted = new Set<string>();
  const refused = new Set<string>();
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const response = (status: number, body: unknown): void => {
      outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const message = await text(incoming);
    const unknown = [...refused].find((field) => message.includes(`"${field}":`));
    const key = incoming.headers.authorization?.replace("Bearer ", "") ?? "";
    if (accepted.size > 0 && !accepted.has(key)) {
      response(401, {
        error: {
          message: "Incorrect API key provided.",
          type: "invalid_request_error",
          code: "invalid_api_key",
          param: null,
        },
      });
    } else if (incoming.url === "/v1/models") {
      response(200, {
        object: "list",
        data: models.map((id) => ({ id, object: "model", created: 0, owned_by: "local" })),
      });
    } else if (unknown !== undefined) {
      response(400, { error: { message: `Unknown parameter: '${unknown}'.`, type: "invalid_request_error" } });
    } else if (incoming.url === "/v1/chat/completions") {
      response(200, {
        id: "chatcmpl-1",
        object: "chat.completion",
        created: 0,
        model: models[0],
        choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      });
    } else {
      response(404, {
        error: { message: `No ${incoming.url}`, type: "invalid_request_error", code: null, param: null },
      });
    }
  };
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    accepted,
    refused,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
