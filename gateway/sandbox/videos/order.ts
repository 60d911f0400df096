import { createHash } from "node:crypto";
import type { ModelSpec } from "../../core/models/model.ts";
import { directivesOf } from "../directives.ts";
import { cutConnection, type Exchange } from "../exchange.ts";
import { requestedFailure } from "../failure.ts";
import { TASK_FIGURES, USUAL_MS, momentAt, slownessOf, type TaskFigures } from "./task.ts";

/** What a prompt asks of a submission and of its task. */
interface Behaviour {
  readonly slowMs: number | null;
  readonly fails: boolean;
}

/**
 * Does what a prompt asks of the submission: answers with an error, breaks the connection. Neither makes a task.
 * @returns null when the connection was broken: there is nothing left to answer.
 * @throws Failure for `sandbox:error`.
 */
export function submit(exchange: Exchange, prompt: string): Behaviour | null {
  const { errorStatus, fails, slowMs, cut } = directivesOf(prompt);
  // `sandbox:fail` alone is for the task.
  if (errorStatus !== null && !fails) throw requestedFailure(errorStatus);
  if (!cut) return { slowMs, fails };
  cutConnection(exchange);
  return null;
}

/** Counts on from anywhere: after a restart within the same hundredth of a second too. */
let submissions = Math.floor(Math.random() * 2 ** TASK_FIGURES.count);

/**
 * The figures of a new task. Each has another count; all else is the same for the same request.
 * @param bytes of the request, or what of it matters: its colours come from them.
 */
export function newTask(
  exchange: Exchange,
  bytes: string | Uint8Array,
  size: number,
  behaviour: Behaviour,
): TaskFigures {
  submissions = (submissions + 1) % 2 ** TASK_FIGURES.count;
  return {
    moment: momentAt(exchange.clock.now()),
    picture: hashOf(bytes, TASK_FIGURES.picture),
    size,
    slow: slownessOf(behaviour.slowMs ?? USUAL_MS),
    fails: behaviour.fails ? 1 : 0,
    count: submissions,
  };
}

/** The first bits of a digest; at most 32. */
export function hashOf(bytes: string | Uint8Array, bits: number): number {
  return createHash("sha256").update(bytes).digest().readUInt32BE() >>> (32 - bits);
}

/** The provider's own id of a model. */
export function providersId({ upstreamId, id }: ModelSpec): string {
  return upstreamId ?? id;
}

/** The models of one owner: a provider with a protocol of its own has no others. */
export function ownModels(models: readonly ModelSpec[], owner: string): readonly ModelSpec[] {
  return models.filter((model) => model.owner === owner);
}

/** A model that makes videos, by any of its ids. */
export function videoModel(models: readonly ModelSpec[], id: unknown): ModelSpec | undefined {
  const fitting = models.filter((model) => model.capabilities.includes("video"));
  return (
    fitting.find((model) => providersId(model) === id || model.id === id) ??
    fitting.find((model) => typeof id === "string" && model.aliases.includes(id))
  );
}

/** The model whose id an id of a task holds as a hash; its provider's id for it, empty when it is none any more. */
export function modelByHash(models: readonly ModelSpec[], hash: number, bits: number): string {
  const found = models.find(
    (model) => model.capabilities.includes("video") && hashOf(providersId(model), bits) === hash,
  );
  return found === undefined ? "" : providersId(found);
}
