import { GatewayError } from "../../../core/errors.ts";
import type { TaskRecord } from "../../../core/tasks/task.ts";
import type { TaskRepository } from "../../../store/tasks/task-repository.ts";

/** A request that its client named, so that sending it twice makes one task (docs/specification.md#video). */
export interface NamedRequest {
  /** Id of the local key. */
  readonly key: string;
  readonly name: string;
  /** Hash of the body. */
  readonly hash: string;
}

const LONGEST_NAME = 255;

/** @throws GatewayError invalid_value */
export function checkName(header: string | undefined): string | null {
  if (header === undefined || header === "") return null;
  if (header.length <= LONGEST_NAME && /^[\x20-\x7e]+$/.test(header)) return header;
  throw new GatewayError(
    "invalid_value",
    `Invalid value for the header Idempotency-Key: expected at most ${LONGEST_NAME} printable ASCII characters.`,
    { param: "Idempotency-Key" },
  );
}

/** Runs each idempotent request once: concurrent duplicates wait for the first, later ones find its task. */
export class IdempotentRequests {
  readonly #repository: Pick<TaskRepository, "byIdempotency">;
  readonly #running = new Map<string, { readonly hash: string; readonly task: Promise<TaskRecord> }>();

  constructor(repository: Pick<TaskRepository, "byIdempotency">) {
    this.#repository = repository;
  }

  /** Throws if `run` would refuse it; takes no name and does not wait. @throws GatewayError idempotency_conflict */
  async check({ key, name, hash }: NamedRequest): Promise<void> {
    const running = this.#running.get(getPlace(key, name));
    const knownHash = running?.hash ?? (await this.#repository.byIdempotency(key, name))?.idempotency?.hash ?? hash;
    if (knownHash !== hash) throw conflict();
  }

  /** @throws GatewayError idempotency_conflict; what `make` throws: then the name is free again */
  run(named: NamedRequest, make: () => Promise<TaskRecord>): Promise<TaskRecord> {
    const place = getPlace(named.key, named.name);
    const running = this.#running.get(place);
    if (running !== undefined) return running.hash === named.hash ? running.task : Promise.reject(conflict());
    const task = this.#findOrMake(named, make).finally(() => this.#running.delete(place));
    this.#running.set(place, { hash: named.hash, task });
    return task;
  }

  async #findOrMake({ key, name, hash }: NamedRequest, make: () => Promise<TaskRecord>): Promise<TaskRecord> {
    const known = await this.#repository.byIdempotency(key, name);
    if (known === null) return make();
    if (known.idempotency?.hash === hash) return known;
    throw conflict();
  }
}

function getPlace(key: string, name: string): string {
  return `${key}\n${name}`;
}

function conflict(): GatewayError {
  return new GatewayError(
    "idempotency_conflict",
    "This Idempotency-Key was used with another body. Send the same body, or choose another key.",
  );
}
