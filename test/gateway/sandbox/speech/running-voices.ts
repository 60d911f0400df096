import { afterAll, beforeAll } from "vitest";
import { allModels } from "../../../../gateway/catalog/lookup.ts";
import { systemClock } from "../../../../gateway/lib/clock.ts";
import { startSandbox, type Sandbox } from "../../../../gateway/sandbox/server.ts";

export interface RunningVoices {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** A request with the right bearer. */
  send(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** A sandbox with the catalog's models for the tests of one file. */
export function useVoices(): RunningVoices {
  let sandbox: Sandbox | undefined;
  const running = (): Sandbox => {
    if (sandbox === undefined) throw new Error("the sandbox is not running yet");
    return sandbox;
  };
  beforeAll(async () => {
    sandbox = await startSandbox({ models: allModels, clock: systemClock });
  });
  afterAll(() => running().close());
  return {
    get origin() {
      return running().origin;
    },
    send: (path, body, headers = {}) =>
      fetch(`${running().origin}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${running().key}`, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
  };
}
