import { allModels } from "../../../../gateway/catalog/lookup.ts";
import { systemClock } from "../../../../gateway/lib/clock.ts";
import { startSandbox, type Sandbox } from "../../../../gateway/sandbox/server.ts";

export interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly json: Record<string, unknown>;
}

/** The sandbox, asked as the gateway asks it. */
export class RunningPainter {
  #sandbox: Sandbox | null = null;

  async start(): Promise<void> {
    this.#sandbox = await startSandbox({ models: allModels, clock: systemClock });
  }

  async close(): Promise<void> {
    await this.#sandbox?.close();
  }

  get origin(): string {
    return this.#sandbox?.origin ?? "";
  }

  /** `POST` of JSON, or of a form. `key` in the header that the provider reads. */
  post(path: string, body: object, keyHeader = "authorization"): Promise<Sent> {
    const form = body instanceof FormData;
    const key = this.#sandbox?.key ?? "";
    return sent(
      fetch(this.origin + path, {
        method: "POST",
        headers: {
          [keyHeader]: keyHeader === "authorization" ? `Bearer ${key}` : key,
          ...(form ? {} : { "content-type": "application/json" }),
        },
        body: form ? body : JSON.stringify(body),
      }),
    );
  }

  /** Without a key. */
  get(url: string): Promise<Sent> {
    return sent(fetch(url));
  }
}

async function sent(body: Promise<Response>): Promise<Sent> {
  const response = await body;
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString("utf8");
  const json = text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, bytes, json };
}

/** The data of each event of a stream that is JSON. */
export function eventsOf({ bytes }: Sent): readonly Record<string, unknown>[] {
  return bytes
    .toString("utf8")
    .split("\n\n")
    .flatMap((frame) => /^data: (\{.*\})$/m.exec(frame)?.[1] ?? [])
    .map((data) => JSON.parse(data) as Record<string, unknown>);
}
