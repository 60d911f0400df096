import type { RunChat } from "../../services/chat/run-chat.ts";
import { HttpReply } from "../http-reply.ts";
import type { Context } from "../state.ts";

/** `POST /v1/chat/completions`. The story is in services/chat/run-chat.ts; here it only meets HTTP. */
export function chatRoute(runChat: RunChat) {
  return async function chatCompletions(context: Context): Promise<void> {
    const { state, res } = context;
    if (state.key === null || state.raw === null) throw new Error("authentication and body come first");
    const reply = new HttpReply(res);
    const answer = await runChat.run(
      {
        requestId: state.requestId,
        arrivedAt: state.arrivedAt,
        key: state.key,
        userAgent: context.req.headers["user-agent"] ?? "",
        raw: state.raw,
        body: state.body,
        asked: (vendor) => {
          if (!res.headersSent) res.setHeader("x-postern-vendor", vendor);
        },
        note: (model, code) => {
          state.model = model;
          state.errorCode = code;
        },
      },
      reply,
      () => {
        // From here on the stream writes to the response itself.
        context.respond = false;
      },
    );
    if (answer === null) return;
    // Written here rather than by Koa, which would look at each header and at the body's type once more.
    context.respond = false;
    res.writeHead(answer.status, { ...answer.headers, "content-length": answer.body.length });
    res.end(answer.body);
  };
}
