import { replyBytes, type WireAct, type WireProvider } from "./wire-provider.ts";

/** Qwen-TTS on the wire, as docs/providers/dashscope.md#speech has it. */
export const QWEN_PATH = "/api/v1/services/aigc/multimodal-generation/generation";
export const QWEN = `POST ${QWEN_PATH}`;

const REQUEST_ID = "2bf82975-d261-947a-9906-552ca8a647e9";

/** One event: no space behind the colons, the status as a comment line. */
export function qwenEvent(id: number, data: object, status = 200, event = "result"): string {
  return `id:${id}\nevent:${event}\n:HTTP_STATUS/${status}\ndata:${JSON.stringify(data)}\n\n`;
}

export function qwenPiece(id: number, samples: Buffer, characters: number | null = null): string {
  return qwenEvent(id, {
    output: {
      finish_reason: "null",
      audio: { data: samples.toString("base64"), expires_at: 1_753_403_234, id: `audio_${REQUEST_ID}` },
    },
    ...(characters === null ? {} : { usage: { input_tokens: 0, output_tokens: 0, characters } }),
    request_id: REQUEST_ID,
  });
}

/** The last event, which alone has the address of the whole file. */
export function qwenEnd(id: number, characters: number | null, url = "http://127.0.0.1:1/never-asked-for.wav"): string {
  return qwenEvent(id, {
    output: {
      finish_reason: "stop",
      audio: { expires_at: 1_753_489_635, id: `audio_${REQUEST_ID}`, data: "", url },
    },
    ...(characters === null ? {} : { usage: { input_tokens: 0, output_tokens: 0, characters } }),
    request_id: REQUEST_ID,
  });
}

export function qwenError(id: number, status: number, code: string, message: string): string {
  return qwenEvent(id, { code, message, request_id: REQUEST_ID }, status, "error");
}

/** The response without events: JSON that names a file. */
export function qwenDocument(url: string, characters: number | null = 195): object {
  return {
    request_id: "5c63c65c-cad8-4bf4-959d-000000000000",
    code: "",
    message: "",
    status_code: 200,
    output: {
      text: null,
      finish_reason: "stop",
      choices: null,
      audio: { data: "", url, id: "audio_5c63c65c-cad8-4bf4-959d-000000000000", expires_at: 1_766_113_409 },
    },
    ...(characters === null ? {} : { usage: { input_tokens: 0, output_tokens: 0, characters } }),
  };
}

/** A provider that answers with a document, and serves the file it names. */
export function serveFile(
  provider: WireProvider,
  file: Buffer,
  type = "audio/wav",
  characters: number | null = 195,
): void {
  provider.on(
    QWEN,
    replyJson(qwenDocument(`${provider.origin}/results/a.wav?Expires=1766113409&Signature=x`, characters)),
  );
  provider.on("GET /results/a.wav", replyBytes(type, file));
}

function replyJson(body: object): WireAct {
  return (_seen, outgoing) => {
    outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
}

/** Frames that the test hands out one by one: what it has not released is not sent. */
export class SlowEvents {
  #outgoing: Parameters<WireAct>[1] | null = null;
  #started: () => void = () => {};
  /** Resolves when the request is there and the first frames were sent. */
  readonly started: Promise<void>;
  /** Resolves when the other side has closed the connection. */
  readonly left: Promise<void>;
  #leave: () => void = () => {};
  readonly act: WireAct;

  constructor(contentType: string, ...first: readonly (string | Buffer)[]) {
    this.started = new Promise((resolve) => {
      this.#started = resolve;
    });
    this.left = new Promise((resolve) => {
      this.#leave = resolve;
    });
    this.act = (_seen, outgoing) => {
      this.#outgoing = outgoing;
      outgoing.once("close", () => this.#leave());
      outgoing.writeHead(200, { "content-type": contentType });
      for (const frame of first) outgoing.write(frame);
      this.#started();
    };
  }

  send(frame: string | Buffer): void {
    this.#outgoing?.write(frame);
  }

  end(): void {
    this.#outgoing?.end();
  }

  cut(): void {
    this.#outgoing?.destroy();
  }
}
