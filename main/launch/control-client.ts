import { randomBytes, timingSafeEqual } from "node:crypto";
import type * as z from "zod";
import {
  controlOperations,
  type ControlInput,
  type ControlName,
  type ControlOutput,
} from "../../gateway/contract/control.ts";
import type { ControlOperation } from "../../gateway/contract/control-operation.ts";
import { nestedErrorSchema } from "../../gateway/contract/errors.ts";
import { CONTROL_PROOF_PATH } from "../../gateway/contract/control-paths.ts";
import { isRecord } from "../../gateway/lib/records.ts";
import { instanceProof, tokenDigest } from "../../gateway/store/disk/instance.ts";
import { CommandError } from "./command-errors.ts";
import type { Instance } from "./instance.ts";

/** How long a response may take: testing a connection waits for a provider. */
const RESPONSE_MS = 60_000;
/** The limit for operations that read years of files. */
const SLOW_RESPONSE_MS = 30 * 60_000;

export interface ControlClient {
  /** The instance that is talked to. */
  instance(): Promise<Instance>;
  /**
   * Runs one control operation. `id` fills `:id` of its path.
   * @throws CommandError with the gateway's own sentence when it refuses, or with what to do when it does not answer.
   */
  call<N extends ControlName>(name: N, input?: ControlInput<N>, id?: string): Promise<ControlOutput<N>>;
}

/** @param find finds the instance; called until one is found, and sent nothing before it has proved its identity. */
export function createControlClient(find: () => Promise<Instance>): ControlClient {
  let found: Promise<Instance> | undefined;
  const instance = (): Promise<Instance> =>
    (found ??= find()
      .then(proven)
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      }));
  return {
    instance,
    async call<N extends ControlName>(name: N, input?: ControlInput<N>, id = "") {
      const to = await instance();
      const operation: ControlOperation = controlOperations[name];
      const address = new URL(operation.path.replace(":id", encodeURIComponent(id)), to.url);
      const headers: Record<string, string> = { authorization: `Bearer ${to.token}` };
      const signal = AbortSignal.timeout(operation.slow === true ? SLOW_RESPONSE_MS : RESPONSE_MS);
      const request: RequestInit = { method: operation.method, headers, signal };
      if (operation.method === "GET") {
        for (const [field, value] of Object.entries(input ?? {})) address.searchParams.set(field, String(value));
      } else if (operation.method !== "DELETE") {
        headers["content-type"] = "application/json";
        request.body = JSON.stringify(input ?? {});
      }
      const { status, body } = await exchange(address, request, to);
      if (status >= 400) throw refusal(status, body);
      const schema: z.ZodType = operation.output;
      const parsed = schema.safeParse(body);
      if (parsed.success) return parsed.data as ControlOutput<N>;
      throw new CommandError(`What responds at ${to.url} is not this version of Postern. Restart Postern.`);
    },
  };
}

/**
 * Returns the instance after it has proven knowledge of the token: an address and a process id may belong to another
 * program by now, and a provider's key may be sent next.
 */
async function proven(to: Instance): Promise<Instance> {
  const nonce = randomBytes(32).toString("base64url");
  const address = new URL(`${CONTROL_PROOF_PATH}?nonce=${nonce}`, to.url);
  const { body } = await exchange(address, { signal: AbortSignal.timeout(RESPONSE_MS), redirect: "error" }, to);
  const expected = Buffer.from(instanceProof(tokenDigest(to.token), to.url, nonce));
  const given = Buffer.from(isRecord(body) ? String(body["proof"]) : "");
  if (given.length === expected.length && timingSafeEqual(given, expected)) return to;
  throw new CommandError(
    `What responds at ${to.url} is not the Postern of this data folder, so nothing was sent to it. Restart Postern; if another program has taken its port, choose another one.`,
    "not_running",
  );
}

async function exchange(address: URL, request: RequestInit, to: Instance): Promise<{ status: number; body: unknown }> {
  let text: string;
  let status: number;
  try {
    const response = await fetch(address, request);
    status = response.status;
    text = await response.text();
  } catch (error) {
    const reason = error instanceof Error && error.name === "TimeoutError" ? "in time" : "any more";
    throw new CommandError(`Postern (process ${to.pid}) does not respond at ${to.url} ${reason}.`, null, {
      cause: error,
    });
  }
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    return { status, body: undefined };
  }
}

function refusal(status: number, body: unknown): CommandError {
  const envelope = nestedErrorSchema.safeParse(body);
  if (!envelope.success) return new CommandError(`Postern responded with status ${status}.`);
  return new CommandError(envelope.data.error.message, envelope.data.error.code);
}
