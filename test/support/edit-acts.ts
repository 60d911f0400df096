import { KEY, type TestGateway } from "./running-gateway.ts";
import { png } from "./pictures.ts";
import type { WireSeen } from "./wire-provider.ts";

/** OpenAI's usage of an edit (docs/providers/openai.md#images). */
export const EDIT_USAGE = {
  total_tokens: 4_204,
  input_tokens: 44,
  output_tokens: 4_160,
  input_tokens_details: { text_tokens: 4, image_tokens: 40 },
  output_tokens_details: { text_tokens: 0, image_tokens: 4_160 },
} as const;

/** The response of gpt-image, with its settings echoed. */
export function deltaEdit(changes: Readonly<Record<string, unknown>> = {}): object {
  return {
    created: 1_713_833_628,
    background: "opaque",
    data: [{ b64_json: png().toString("base64") }],
    output_format: "png",
    quality: "high",
    size: "1024x1024",
    usage: EDIT_USAGE,
    ...changes,
  };
}

/** The response of dall-e-2, which echoes nothing. */
export function epsilonEdit(count = 1): object {
  const data = Array.from({ length: count }, () => ({ b64_json: png({ width: 32, height: 32 }).toString("base64") }));
  return { created: 1_713_833_628, data };
}

/** A form that reached the provider, read by Node's own parser. */
export async function formSeen({ body, headers }: WireSeen): Promise<FormData> {
  return new Response(new Uint8Array(body), { headers: { "content-type": headers["content-type"] ?? "" } }).formData();
}

/** Its texts by their names. */
export async function fieldsSeen(seen: WireSeen): Promise<Record<string, string>> {
  const form = await formSeen(seen);
  return Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
}

export interface FileSeen {
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Its files in their order. */
export async function filesSeen(seen: WireSeen): Promise<readonly FileSeen[]> {
  const files: FileSeen[] = [];
  for (const [field, value] of await formSeen(seen)) {
    if (typeof value === "string") continue;
    files.push({ field, name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) });
  }
  return files;
}

/** `POST /v1/images/edits` with a form. */
export function postForm(postern: TestGateway, form: FormData, key = KEY): Promise<Response> {
  return postern.post("/images/edits", form, key);
}

/** The same with a body written by hand. */
export function postBytes(
  postern: TestGateway,
  body: Buffer,
  type = "multipart/form-data; boundary=b",
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${postern.url}/v1/images/edits`, {
    method: "POST",
    body: new Uint8Array(body),
    ...init,
    headers: { authorization: `Bearer ${KEY}`, "content-type": type, ...(init.headers as object) },
  });
}
