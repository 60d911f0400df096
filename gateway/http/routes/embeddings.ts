import type { RunEmbeddings } from "../../services/embeddings/run-embeddings.ts";
import { callInput } from "../call-input.ts";
import { HttpReply } from "../http-reply.ts";
import type { Context } from "../state.ts";

/** `POST /v1/embeddings`. The story is in services/embeddings/run-embeddings.ts; here it only meets HTTP. */
export function embeddingsRoute(runEmbeddings: RunEmbeddings) {
  return async function embeddings(context: Context): Promise<void> {
    const { res, state } = context;
    const client = new HttpReply(res);
    const reply = await runEmbeddings.run(callInput(context), state.body, client);
    context.respond = false;
    if (reply === null || client.cancelled) return;
    const length = reply.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    res.writeHead(200, { ...reply.headers, "content-length": length });
    for (const chunk of reply.chunks) res.write(chunk);
    res.end();
  };
}
