import { GatewayError } from "../../core/errors.ts";
import { closeBehind, readBody } from "../read-body.ts";
import type { Context, Next } from "../state.ts";
import { jsonBody } from "./json-body.ts";
import { UploadBudget } from "./multipart-budget.ts";
import { boundaryOf, splitParts } from "./multipart-parts.ts";

/** One form: several files of the 64 MiB that each may have (contract). */
const MAX_FORM_BYTES = 256 * 1024 * 1024;
/** All forms at once: the largest, and common ones beside it. */
const BUDGET_BYTES = MAX_FORM_BYTES + 64 * 1024 * 1024;
/** From the head to the last byte; read-body.ts bounds each silence besides. */
const TOTAL_MS = 600_000;

/**
 * Reads a multipart form or, where the client sends JSON, a JSON body. Our own reader for forms, because formidable
 * (below koa-body) takes text parts with a content type (.NET, Java) for files and files without one for text, and ends
 * the process at `Content-Transfer-Encoding: 7bit` (docs/decisions).
 * @returns middleware that leaves `FormPart[]`, or the JSON, in `state.body`.
 */
export function formBody(budget = new UploadBudget(BUDGET_BYTES)) {
  return async function readForm(context: Context, next: Next): Promise<void> {
    const { req, res, state } = context;
    const type = req.headers["content-type"] ?? "";
    const boundary = boundaryOf(type);
    if (boundary === null) {
      if (/^\s*application\/(\S+\+)?json\b/i.test(type)) return jsonBody(context, next);
      throw new GatewayError(
        "unsupported_media_type",
        "Send the edit as multipart/form-data with the picture in the field image, or as JSON with images.",
      );
    }
    const giveBack = budget.take(roomFor(req.headers));
    res.once("close", giveBack);
    const raw = await inTime(readBody(req, res, MAX_FORM_BYTES), context);
    state.body = splitParts(raw, boundary);
    return next();
  };
}

/** What is not declared, or unpacks to more than is declared, may become as large as a form can be. */
function roomFor(headers: Context["req"]["headers"]): number {
  const declared = Number(headers["content-length"] ?? MAX_FORM_BYTES);
  return headers["content-encoding"] === undefined ? Math.min(declared, MAX_FORM_BYTES) : MAX_FORM_BYTES;
}

async function inTime(body: Promise<Buffer>, { req, res }: Context): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      closeBehind(req, res);
      reject(new GatewayError("request_timeout", `The body took longer than ${TOTAL_MS / 1_000} s.`));
    }, TOTAL_MS);
  });
  // Whoever loses the race has nobody left who listens.
  body.catch(() => undefined);
  try {
    return await Promise.race([body, late]);
  } finally {
    clearTimeout(timer);
  }
}
