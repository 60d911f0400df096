import { createHash } from "node:crypto";
import { getBody, type Exchange } from "./exchange.ts";
import type { Fields } from "./fields.ts";

/** A request that may come as JSON or as a form with files. */
interface FormOrJson {
  /** The text fields of a form or JSON body. */
  readonly fields: Fields;
  /** How many files a form has. */
  readonly files: number;
  /** Bytes that identify the request: the boundary of a form is another one each time. */
  readonly matter: Uint8Array;
}

export async function formOrJson(exchange: Exchange): Promise<FormOrJson> {
  const type = exchange.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/")) return { fields: getBody(exchange), files: 0, matter: exchange.body };
  const form = await new Response(new Uint8Array(exchange.body), { headers: { "content-type": type } }).formData();
  const fields: Record<string, string> = {};
  const hash = createHash("sha256");
  let files = 0;
  for (const [name, value] of form) {
    const content = typeof value === "string" ? Buffer.from(value) : Buffer.from(await value.arrayBuffer());
    hash.update(`${name}:${content.length}:`).update(content);
    if (typeof value === "string") fields[name] = value;
    else files += 1;
  }
  return { fields, files, matter: hash.digest() };
}
