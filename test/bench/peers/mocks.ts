import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOAD_CPU, freePort } from "./machine.ts";
import { nginxConfig } from "./nginx.ts";
import { start } from "./processes.ts";

/** A provider that costs next to nothing: nginx for whole responses, a C program for streams. */
export interface Mocks extends AsyncDisposable {
  readonly wholePort: number;
  readonly streamPort: number;
}

/** As many bytes as OpenAI's own response to a short question has. */
const RESPONSE_BYTES = 782;
/** Between two chunks, for a request that has no seed to say it: translation from Messages leaves none. */
const GAP_MS = 1;

/** What the mock says in each whole response. */
export const CONTENT = respond().content;

function respond(): { readonly content: string; readonly body: string } {
  const shape = {
    id: "chatcmpl-mock-0001",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "gpt-4o-mini-2024-07-18",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "", refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 60,
      total_tokens: 160,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    service_tier: "default",
    system_fingerprint: "fp_mock",
  };
  const text = "The quick brown fox jumps over the lazy dog. ".repeat(10);
  const content = text.slice(0, RESPONSE_BYTES - JSON.stringify(shape).length);
  const choices = [{ ...shape.choices[0], message: { ...shape.choices[0]?.message, content } }];
  return { content, body: JSON.stringify({ ...shape, choices }) };
}

/** Compiles a tool of ours. @returns the program's path. */
export function compile(name: "ssemock" | "sseload", folder: string): string {
  const program = join(folder, name);
  const source = join(import.meta.dirname, "tools", `${name}.c`);
  const done = spawnSync("gcc", ["-O2", "-w", "-o", program, source]);
  if (done.status !== 0) throw new Error(`${source} does not compile: ${done.stderr.toString()}`);
  return program;
}

/** Starts both mocks on the load's CPU. */
export async function startMocks(folder: string): Promise<Mocks> {
  const wholePort = await freePort();
  const streamPort = await freePort();
  const config = join(folder, "mock.conf");
  writeFileSync(
    config,
    nginxConfig(folder, "mock", wholePort, `default_type application/json; return 200 '${respond().body}';`),
  );
  const where = { cpu: LOAD_CPU, output: join(folder, "mocks.log") };
  const whole = start(["nginx", "-c", config], where);
  const stream = start([compile("ssemock", folder), String(streamPort), String(GAP_MS)], where);
  return {
    wholePort,
    streamPort,
    async [Symbol.asyncDispose]() {
      await whole[Symbol.asyncDispose]();
      await stream[Symbol.asyncDispose]();
    },
  };
}
